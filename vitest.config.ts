import { defineConfig } from 'vitest/config';

export default defineConfig({
  // graphql 16 is there twice, for require and for bundlers; Node takes the first, and errors of two are not alike.
  resolve: { alias: { graphql: 'graphql/index.js' } },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/cassandra.ts'],
    setupFiles: ['test/support/setup.ts'],
    // Loading the modules anew for every file takes a second each.
    isolate: false,
    // A keyspace takes some seconds to make.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 3,
  },
});
