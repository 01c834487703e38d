import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';

const LOGGER = join(import.meta.dirname, '../src/app/logger.ts');

/** A script that logs more than a pipe can hold. */
const LOGGING = `
import { makeLogger } from ${JSON.stringify(LOGGER)};
const logger = makeLogger('info');
for (let line = 0; line < 2_000; line++) logger.info('x'.repeat(1_000));
logger.fatal('the last line');
setImmediate(() => process.stderr.write('goes on'));
`;

test('the log does not block the process for ever when its reader has stopped or ended', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', LOGGING]);
  try {
    const { stdout } = child;
    await once(stdout, 'readable');
    while (stdout.readableLength < stdout.readableHighWaterMark) await setImmediate();
    stdout.destroy();
    expect(String((await once(child.stderr, 'data'))[0])).toBe('goes on');
  } finally {
    child.kill('SIGKILL');
  }
});
