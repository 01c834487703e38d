import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import type { FastifyInstance } from 'fastify';

const EXAMPLES_FOLDER = join(import.meta.dirname, '../../examples');
const PACKAGE = '@graphql-yoga/render-graphiql';

/** Returns the example queries with their names, in the order of their file names. */
export async function exampleQueries(): Promise<{ name: string; query: string }[]> {
  const files = (await readdir(EXAMPLES_FOLDER)).filter((file) => file.endsWith('.graphql')).sort();
  return Promise.all(
    files.map(async (file) => ({
      name: basename(file, '.graphql'),
      query: await readFile(join(EXAMPLES_FOLDER, file), 'utf8'),
    })),
  );
}

/**
 * Returns the GraphiQL page with a tab for each example query. The page is self-contained and needs
 * no network.
 */
async function graphiqlPage(): Promise<string> {
  // The scripts take nine megabytes, so they are loaded when the page is first opened. An import
  // would bring the package's types of browsers into the server.
  const { renderGraphiQL } = createRequire(import.meta.url)(PACKAGE) as {
    readonly renderGraphiQL: (options: object) => string;
  };
  const examples = await exampleQueries();
  return renderGraphiQL({
    title: 'Social e-library',
    endpoint: '/graphql',
    // Subscriptions are sent by POST, as everything else.
    method: 'POST',
    defaultTabs: examples.map(({ query }) => ({ query, headers: '{ "Authorization": "" }' })),
  });
}

/** Serves GraphiQL, for development. */
export function serveGraphiql(server: FastifyInstance): void {
  // The page is made once, because that takes longer than any other answer.
  let page: Promise<string> | undefined;
  server.get('/graphiql', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(await (page ??= graphiqlPage())),
  );
  server.get('/', (_request, reply) => reply.redirect('/graphiql'));
}
