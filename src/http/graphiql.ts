import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

const EXAMPLES_FOLDER = join(import.meta.dirname, '../../examples');

/** The example queries, by name, in the order of their file names. */
export async function exampleQueries(): Promise<{ name: string; query: string }[]> {
  const files = (await readdir(EXAMPLES_FOLDER)).filter((file) => file.endsWith('.graphql')).sort();
  return Promise.all(
    files.map(async (file) => ({
      name: basename(file, '.graphql'),
      query: await readFile(join(EXAMPLES_FOLDER, file), 'utf8'),
    })),
  );
}

/** The GraphiQL page, whole in itself: it needs no network. A tab for each example query. */
export async function graphiqlPage(): Promise<string> {
  // Nine megabytes of scripts: only for those who open the page.
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const examples = await exampleQueries();
  return renderGraphiQL({
    title: 'Social e-library',
    endpoint: '/graphql',
    defaultTabs: examples.map(({ query }) => ({ query, headers: '{ "Authorization": "" }' })),
  });
}
