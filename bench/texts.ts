import { parseArgs } from 'node:util';
import { say } from '../src/terminal/progress.ts';
import { machine, median } from './bench.ts';
import { callMs, longestTurnMs, roughMs } from './texts/cost.ts';
import { FILES } from './texts/files.ts';
import { READINGS, type Reading } from './texts/readings.ts';
import { textOf, WORST, type Limit, type Worst } from './texts/worst.ts';

/**
 * `npm run bench -- texts`: measures the functions that read texts of callers. Each function gets
 * texts that are most expensive for it, with the maximum length that reaches it and with half of
 * that. A ratio of 2 means that the time grows linearly with the length. Files are read in turns,
 * and the longest turn is measured. It exits with 1 if no call of a function takes at most 5 ms
 * (`--max-ms N`); texts that only administrators send are reported, but not judged. `--only NAME`
 * measures only functions with NAME in their name.
 */

const MAX_MS = 5;
/** The number of texts that are measured precisely: those that seem most expensive. */
const HARDEST = 3;
const ROUNDS = 5;

const { values } = parseArgs({ options: { 'max-ms': { type: 'string' }, only: { type: 'string', default: '' } } });
const maxMs = Number(values['max-ms'] ?? MAX_MS);
if (!(maxMs > 0)) {
  say('Usage: npm run bench -- texts [--max-ms N] [--only NAME]');
  process.exit(2);
}

say(machine());
for (const reading of READINGS.filter(({ name }) => name.includes(values.only))) {
  const { text, median: ms, least, ratio } = measured(reading);
  const isSlow = least > maxMs;
  const mark = isSlow ? (reading.isOfAdministrators ? ': slow, for administrators alone' : ': SLOW') : '';
  say(
    `${reading.name}, ${limitOf(reading)}: ${ms.toFixed(2)} ms, at least ${least.toFixed(2)}, ` +
      `${ratio.toFixed(1)} × half, by ${text}${mark}`,
  );
  if (isSlow && !reading.isOfAdministrators) process.exitCode = 1;
}
for (const { name, read } of FILES.filter((file) => file.name.includes(values.only))) {
  const turns: number[] = [];
  for (let round = 0; round < ROUNDS; round++) turns.push(await longestTurnMs(read));
  say(`in turns, ${name}: the longest takes ${median(turns).toFixed(2)} ms`);
}
process.exit();

/** Measures a function with the text that takes longest. */
function measured(reading: Reading) {
  const tried = [...(reading.worst ?? []), ...WORST]
    .map((worst) => ({ worst, ms: roughMs(workOf(reading, worst, reading.limit)) }))
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, HARDEST);
  const half = { ...reading.limit, length: reading.limit.length / 2 };
  const found = tried.map(({ worst }) => {
    const call = callMs(workOf(reading, worst, reading.limit));
    return { ...call, text: worst.name, ratio: call.least / callMs(workOf(reading, worst, half)).least };
  });
  return found.reduce((one, other) => (one.least >= other.least ? one : other));
}

/** Returns a call of a function, which may refuse the text. */
function workOf({ read }: Reading, worst: Worst, limit: Limit): () => void {
  const text = textOf(worst, limit);
  return () => {
    try {
      read(text);
    } catch {
      // The text is refused, which also takes time.
    }
  };
}

function limitOf({ limit: { length, measure } }: Reading): string {
  const names = { units: 'UTF-16 units', points: 'code points', bytes: 'bytes' };
  return `${length.toLocaleString('en')} ${names[measure]}`;
}
