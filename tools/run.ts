import { readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * `npm run admin`, `npm run bench` and `npm run chaos`: runs a tool of a folder by the name of its
 * file, or lists the tools. A file is a tool if a comment of it begins with its command.
 */

const [folder = '', name] = process.argv.slice(2);
const script = basename(folder);
const tools = await readTools();
if (name !== undefined && tools.has(name)) {
  const file = resolve(folder, `${name}.ts`);
  // The tool reads its arguments as if Node had been started with it.
  process.argv.splice(1, 3, file);
  await import(pathToFileURL(file).href);
} else {
  const isAsked = name === undefined || name === '--help';
  const width = Math.max(...[...tools.keys()].map(({ length }) => length));
  const list = [...tools].map(([each, about]) => `  ${each.padEnd(width)}  ${about}\n`);
  process.stdout.write(isAsked ? '' : `There is no ${JSON.stringify(name)}. `);
  process.stdout.write(`Usage: npm run ${script} -- NAME, which is one of:\n${list.join('')}`);
  process.exitCode = isAsked ? 0 : 2;
}

/** Returns the first sentence about each tool by its name. */
async function readTools(): Promise<Map<string, string>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts')).toSorted();
  const found = await Promise.all(
    files.map(async (file): Promise<[string, string][]> => {
      const text = (await readFile(join(folder, file), 'utf8')).replaceAll('\n * ', ' ');
      const tool = basename(file, '.ts');
      const about = new RegExp(`\`npm run ${script} -- ${tool}[^\`]*\`: ([^]*?)\\.\\s`).exec(text)?.[1];
      return about === undefined ? [] : [[tool, about]];
    }),
  );
  return new Map(found.flat());
}
