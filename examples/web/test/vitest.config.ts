import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import root from '../../../vitest.config.ts';

/** The tests of the web client in a browser, which `npm run test:web` runs. */
export default defineConfig({
  root: join(import.meta.dirname, '../../..'),
  resolve: root.resolve ?? {},
  test: {
    include: ['examples/web/test/*.test.ts'],
    globalSetup: ['test/support/cassandra.ts', 'examples/web/test/chromium.ts'],
    setupFiles: ['test/support/setup.ts'],
    // One browser and one server serve all journeys of a file.
    isolate: false,
    maxWorkers: 2,
    // No test is about time: these limits only end tests that hang, even on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
