import { readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * `npm run admin`, `npm run bench` and `npm run chaos`: runs a tool of a folder by the name of its
 * file, or lists the tools. A file is a tool if a comment of it begins with its command. A name
 * with `--help` prints that comment and the tool's USAGE.
 */

const [folder = '', name] = process.argv.slice(2);
const script = basename(folder);
const tools = await readTools();
const about = name === undefined ? undefined : tools.get(name);
if (about !== undefined && process.argv.includes('--help')) {
  process.stdout.write(about.help);
} else if (about !== undefined) {
  const file = resolve(folder, `${name}.ts`);
  // The tool reads its arguments as if Node had been started with it.
  process.argv.splice(1, 3, file);
  await import(pathToFileURL(file).href).catch((error: unknown) => {
    const { code, message } = error as Error & { code?: string };
    if (code?.startsWith('ERR_PARSE_ARGS') !== true) throw error;
    process.stderr.write(`${message}\n\n${about.help}`);
    process.exitCode = 2;
  });
} else {
  const isAsked = name === undefined || name === '--help';
  const width = Math.max(...[...tools.keys()].map(({ length }) => length));
  const list = [...tools].map(([each, { sentence }]) => `  ${each.padEnd(width)}  ${sentence}\n`);
  process.stdout.write(isAsked ? '' : `There is no ${JSON.stringify(name)}. `);
  process.stdout.write(`Usage: npm run ${script} -- NAME, which is one of:\n${list.join('')}`);
  process.exitCode = isAsked ? 0 : 2;
}

interface Tool {
  /** The first sentence about it. */
  readonly sentence: string;
  readonly help: string;
}

/** Reads what the tools' files say about them, by name. */
async function readTools(): Promise<Map<string, Tool>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts')).toSorted();
  const found = await Promise.all(
    files.map(async (file): Promise<[string, Tool][]> => {
      const text = await readFile(join(folder, file), 'utf8');
      const command = `npm run ${script} -- ${basename(file, '.ts')}`;
      const [, comment = ''] = new RegExp(`/\\*\\*\\s+(?:\\* )?(\`${command}[ \`][^]*?)\\s*\\*/`).exec(text) ?? [];
      const lines = comment.replaceAll(/^ \* ?/gm, '');
      const sentence = /^`[^`]*`:\s+([^]*?)\.(\s|$)/.exec(lines)?.[1]?.replaceAll('\n', ' ');
      if (sentence === undefined) return [];

      const [, usage = ''] = /^const USAGE = `([^`]*)`/m.exec(text) ?? [];
      return [[basename(file, '.ts'), { sentence, help: `${lines}\n${usage === '' ? '' : `\n${usage}\n`}` }]];
    }),
  );
  return new Map(found.flat());
}
