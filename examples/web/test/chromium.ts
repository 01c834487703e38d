import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';

/** Debian's package of a Chromium that draws no window, for half of the processor time. */
const SHELL = 'chromium-headless-shell';

/** The places where distributions put Chromium, the cheapest first. */
const PLACES = [`/usr/bin/${SHELL}`, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Finds or installs the browser before the tests begin. */
export default function setup(): void {
  systemChromium();
}

const MISSING =
  `The tests need Chromium: install it (\`apt-get install ${SHELL}\`), or name its file in CHROMIUM, ` +
  'and run them again.';

/**
 * Returns the file of the system's Chromium. If there is none, root installs the package of Debian.
 * @throws an error that says how to install it
 */
export function systemChromium(): string {
  const found = chromium() ?? (install(), chromium());
  if (found === undefined) throw new Error(MISSING);
  return found;
}

const chromium = (): string | undefined => [process.env['CHROMIUM'] ?? '', ...PLACES].find(isExecutable);

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return file !== '';
  } catch {
    return false;
  }
}

function install(): void {
  if (process.getuid?.() !== 0) throw new Error(MISSING);
  console.log('Installing Chromium, once');
  try {
    execFileSync('apt-get', ['update', '-q'], { stdio: ['ignore', 'ignore', 'inherit'] });
    execFileSync('apt-get', ['install', '-qy', '--no-install-recommends', SHELL], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } catch (error) {
    throw new Error(MISSING, { cause: error });
  }
}
