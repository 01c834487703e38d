import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Programs of Debian that tests and tools need, unpacked if they are not installed. */

/** A program that runs here. */
export interface Program {
  readonly file: string;
  /** The variables of the environment that it needs in addition. */
  readonly env: Readonly<Record<string, string>>;
}

/** The place where packages are unpacked; they are not installed, and no service is started. */
const KEPT = resolve('node_modules/.cache/debian');

/**
 * Returns a program of Debian. Root fetches a program once if it is not installed.
 * @param program its path within its package
 * @param variable the variable of the environment that may name its file
 * @throws an error that explains how to install it
 */
export function debianProgram(packageName: string, program: string, variable: string): Program {
  const name = program.replace(/^.*\//, '');
  const installed = [process.env[variable] ?? '', name].find(isExecutable);
  if (installed !== undefined) return { file: installed, env: {} };

  const folder = join(KEPT, packageName);
  if (!existsSync(folder)) {
    console.log(`Fetching ${name}, once`);
    try {
      unpack(packageName, folder);
    } catch (error) {
      const how = `install it (\`apt-get install ${packageName}\`), or set ${variable} to its file`;
      throw new Error(`${name} is needed: ${how}, and try again.`, { cause: error });
    }
  }
  const libraries = join(folder, 'usr/lib');
  const names = existsSync(libraries) ? readdirSync(libraries) : [];
  const paths = names.filter((each) => each.endsWith('-linux-gnu')).map((each) => join(libraries, each));
  return { file: join(folder, program), env: { LD_LIBRARY_PATH: paths.join(':') } };
}

const isExecutable = (file: string): boolean =>
  file !== '' && spawnSync('sh', ['-c', 'command -v "$0"', file]).status === 0;

/** Unpacks a package, with the packages that it depends on and that are not installed. */
function unpack(packageName: string, folder: string): void {
  const made = `${folder}.${String(process.pid)}`;
  const archives = join(made, 'archives');
  mkdirSync(join(archives, 'partial'), { recursive: true });
  try {
    const fetch = ['install', '-qy', '--download-only', '--no-install-recommends'];
    const given = [...fetch, '-o', `Dir::Cache::archives=${archives}`, packageName];
    // The package lists may be missing or too old to contain the package.
    if (spawnSync('apt-get', given).status !== 0) {
      runApt(['update', '-q']);
      runApt(given);
    }
    for (const archive of readdirSync(archives).filter((each) => each.endsWith('.deb')))
      execFileSync('dpkg-deb', ['-x', join(archives, archive), made]);
    rmSync(archives, { recursive: true });
    if (!existsSync(folder)) renameSync(made, folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

const runApt = (given: readonly string[]) => execFileSync('apt-get', given, { stdio: ['ignore', 'ignore', 'inherit'] });
