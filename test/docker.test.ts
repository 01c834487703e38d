import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const PROJECT = join(import.meta.dirname, '..');

/** What `npm ci --omit=dev` leaves behind: there is no testcontainers. */
const WITHOUT_TESTCONTAINERS = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve(specifier, context, next) {
      return next(specifier === 'testcontainers' ? 'there-is-no-such-package' : specifier, context);
    },
  });
`;

test('without its package Docker is not used, and a person is told how to get it', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      ...['--import', `data:text/javascript,${encodeURIComponent(WITHOUT_TESTCONTAINERS)}`],
      ...['--input-type=module', '--eval'],
      "import { dockerUnavailable } from './src/launch/docker.ts'; console.log(await dockerUnavailable(() => {}))",
    ],
    { cwd: PROJECT },
  );
  expect(stdout).toBe('the package testcontainers is not installed; `npm ci` without --omit=dev installs it\n');
});
