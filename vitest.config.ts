import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Replaces an operation's text with the output of relay-compiler, as Relay's Babel plugin does for
 * a frontend.
 */
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

const named = (names: string) =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => `test/${name}.test.ts`);

/** Files that need no database. test/tidy.test.ts finds any that is missing here, or needs one. */
export const UNIT = named(`
  audit-suspects batch-loader bench-api book-inputs caches coding config docker docs document-limits emails features
  folding imported-words isbn latest-events licences log merge packed-ids paging passwords positions recent-rows
  routing sealed-secrets shown-text sorting spoilt-libraries stored-forms tidy timestamps tools turns waits
`);

/**
 * Files that take a long time: they kill servers, run tools and servers as processes, make
 * keyspaces, run tests in a copy of the project, or simulate. `npm test` leaves them out.
 */
export const LONG = named(`
  alerts audit audit-share audit-unreadable caller-texts catalogue crash crash-* drill fuzz later-release letters
  library-exports load note-example outage rebuild released-keyspace sample-data schema simulation titles
  unverified upgrade works
`);

const PROJECTS = ['long', 'web', 'api', 'unit'];
const placeOf = ({ project }: TestSpecification) => PROJECTS.indexOf(project.name);

/**
 * Runs the files of a project in a row, because a worker of another project loads all modules
 * again.
 */
export class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }

  /**
   * Assigns the files of each project to the shards in turn, so that no shard has all of the long
   * ones.
   */
  override shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index, count } = this.ctx.config.shard ?? { index: 1, count: 1 };
    // The order must be the same for every shard. The order of sort() depends on earlier durations.
    const ordered = files.toSorted((a, b) => placeOf(a) - placeOf(b) || (a.moduleId < b.moduleId ? -1 : 1));
    return Promise.resolve(ordered.filter((_file, place) => place % count === index - 1));
  }
}

const withDatabase = { globalSetup: ['test/support/cassandra.ts'], setupFiles: ['test/support/setup.ts'] };

export default defineConfig({
  plugins: [relay],
  // graphql 16 has two builds, for require and for bundlers. Node uses the first one, and its error
  // classes differ from those of the other.
  resolve: { alias: { graphql: 'graphql/index.js' } },
  test: {
    // Tests start many processes. Code that one process has compiled is not compiled again.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled') },
    // Loading the modules again for every file would take a second each.
    isolate: false,
    // No test depends on these limits, which only end tests that hang, even on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
    maxWorkers: 3,
    sequence: { sequencer: ByProject },
    projects: [
      { extends: true, test: { name: 'unit', include: UNIT } },
      {
        extends: true,
        test: { name: 'api', include: ['test/**/*.test.ts'], exclude: [...UNIT, ...LONG], ...withDatabase },
      },
      { extends: true, test: { name: 'long', include: LONG, ...withDatabase } },
      {
        extends: true,
        test: {
          name: 'web',
          include: ['examples/web/test/*.test.ts'],
          ...withDatabase,
          globalSetup: [...withDatabase.globalSetup, 'examples/web/test/chromium.ts'],
        },
      },
    ],
  },
});
