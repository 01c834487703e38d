import { defineConfig, type Plugin } from 'vitest/config';

/** What Relay's Babel plugin does for a frontend: in place of an operation's text stands what relay-compiler has made of it. */
const relay: Plugin = {
  name: 'relay',
  enforce: 'pre',
  transform: (code, file) =>
    file.endsWith('/test/guide/relay.ts')
      ? code.replaceAll(
          /graphql`\s*\w+ (\w+)[^`]*`/g,
          (_text, name: string) => `(await import('./__generated__/${name}.graphql.ts')).default`,
        )
      : undefined,
};

export default defineConfig({
  plugins: [relay],
  // graphql 16 is there twice, for require and for bundlers; Node takes the first, and errors of two are not alike.
  resolve: { alias: { graphql: 'graphql/index.js' } },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/cassandra.ts'],
    setupFiles: ['test/support/setup.ts'],
    // Loading the modules anew for every file takes a second each.
    isolate: false,
    // No test is about time: these only end what hangs, also on a machine that others keep busy.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    maxWorkers: 3,
  },
});
