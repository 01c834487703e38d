import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The place where Debian's package is unpacked; nothing of it is installed or started. */
const KEPT = 'node_modules/.cache/prometheus';

const MISSING =
  'The tests of the alerts need promtool: install Prometheus (`apt-get install prometheus`), or name the file in ' +
  'PROMTOOL, and run them again.';

/**
 * Returns the file of promtool, which tests alert rules of Prometheus. On Debian without it, the
 * package is fetched once.
 * @throws an error that says how to install it
 */
export function promtool(): string {
  const kept = join(KEPT, 'usr/bin/promtool');
  const found = [process.env['PROMTOOL'] ?? '', kept, 'promtool'].find(runs);
  if (found !== undefined) return found;

  console.log('Fetching promtool, once');
  try {
    unpack();
  } catch (error) {
    throw new Error(MISSING, { cause: error });
  }
  return kept;
}

const runs = (file: string): boolean => file !== '' && spawnSync(file, ['--version']).status === 0;

function unpack(): void {
  const made = `${KEPT}.${String(process.pid)}`;
  mkdirSync(made, { recursive: true });
  try {
    download(made);
    const [archive = ''] = readdirSync(made).filter((name) => name.endsWith('.deb'));
    execFileSync('dpkg-deb', ['-x', join(made, archive), made]);
    if (!existsSync(KEPT)) renameSync(made, KEPT);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** Lists of packages that were never fetched, or are old, lack the package. */
function download(folder: string): void {
  const fetched = spawnSync('apt-get', ['download', '-q', 'prometheus'], { cwd: folder });
  if (fetched.status === 0) return;

  execFileSync('apt-get', ['update', '-q'], { stdio: ['ignore', 'ignore', 'inherit'] });
  execFileSync('apt-get', ['download', '-q', 'prometheus'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}
