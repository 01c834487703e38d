import { parseArgs } from 'node:util';
import { say } from '../src/terminal/progress.ts';
import { machine } from './bench.ts';
import { benchAccord } from './likes/accord.ts';
import { benchDriver } from './likes/driver.ts';
import { benchExact, benchExactNode } from './likes/exact.ts';
import { benchHot } from './likes/hot.ts';
import { benchMemory } from './likes/memory.ts';
import { benchRouting } from './likes/routing.ts';
import { benchToggled } from './likes/toggled.ts';
import { benchWidth } from './likes/width.ts';

/** `npm run bench -- likes [PART…]`: measures likes in parts, which together take about an hour. */

const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  hot: benchHot,
  driver: benchDriver(1),
  'driver-3': benchDriver(3),
  accord: benchAccord,
  exact: benchExact,
  'exact-3': benchExactNode,
  routing: benchRouting,
  width: benchWidth,
  toggled: benchToggled,
  memory: benchMemory,
};

const { positionals } = parseArgs({ allowPositionals: true });
const parts = positionals.length > 0 ? positionals : Object.keys(PARTS);
const unknown = parts.filter((part) => !Object.hasOwn(PARTS, part));
if (unknown.length > 0) {
  say(`There is no part ${unknown.join(', ')}. Usage: npm run bench -- likes [${Object.keys(PARTS).join(' | ')}]…`);
  process.exit(2);
}
say(machine());
for (const part of parts) {
  say(`— ${part}`);
  await PARTS[part]?.();
}
process.exit(0);
