import { useQuery } from '@apollo/client/react';
import { signedFetch } from '../auth.ts';
import { Answer } from '../components/answer.tsx';
import { Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { More } from '../components/more.tsx';
import { NeedsLogin } from '../components/needs-login.tsx';
import { Page } from '../components/page.tsx';
import { Section } from '../components/section.tsx';
import { ImportsDocument } from '../documents.generated.ts';
import { problemsIn, type Problem } from '../errors.ts';
import { counted, momentOf, wordsOf } from '../format.ts';
import { Link, navigate } from '../router.tsx';
import { useSession } from '../session.ts';
import { SOURCES } from './import-fates.ts';

const ENDPOINT = '/import-my-library';

/** The upload of a library from another service, and the imports that there were. */
export function Imports() {
  const isReader = useSession() !== undefined;
  const { data, loading, error, fetchMore } = useQuery(ImportsDocument, {
    skip: !isReader,
    fetchPolicy: 'cache-and-network',
  });
  const imports = data?.viewer?.libraryImports;
  if (!isReader) return <NeedsLogin title="Import my library" />;
  return (
    <Page title="Import my library">
      <p>
        Ask Goodreads, StoryGraph, LibraryThing, Hardcover or BookWyrm for an export of your library, and send the file
        as it is. What you have said here stays, and any import can be undone.
      </p>
      <Form label="Import a library" button="Import" send={sendFile}>
        <Field name="file" label="The file" type="file" accept=".csv,.tsv,.txt" />
      </Form>
      <Answer isLoading={loading && !data} error={error}>
        {imports && imports.edges.length > 0 && (
          <Section title="Earlier imports">
            <ul className="rows">
              {imports.edges.map(
                ({ node }) =>
                  node && (
                    <li key={node.id}>
                      <Link to={importPath(node.id)}>
                        {SOURCES[node.source]}, {counted(node.lines, 'line')}
                      </Link>
                      {node.status !== 'DONE' && <span>{wordsOf(node.status)}</span>}
                      <time dateTime={node.begunAt}>{momentOf(node.begunAt)}</time>
                    </li>
                  ),
              )}
            </ul>
            <More
              label="Show more imports"
              page={imports.pageInfo}
              load={(after) => fetchMore({ variables: { after } })}
            />
          </Section>
        )}
      </Answer>
    </Page>
  );
}

export const importPath = (id: string): string => `/import/${encodeURIComponent(id)}`;

/** Sends the file that was chosen, and shows what becomes of it. */
async function sendFile(values: FormData): Promise<readonly Problem[]> {
  const file = values.get('file');
  if (!(file instanceof File) || file.name === '')
    return [{ code: 'INVALID_INPUT', message: 'Choose the file first.', path: ['file'] }];

  const answer = await signedFetch(ENDPOINT, { method: 'POST', body: file });
  if (!answer.ok) {
    const problems = await problemsIn(answer);
    return problems.map(({ message }) => ({ code: 'INVALID_INPUT', message, path: ['file'] }));
  }
  const { id } = (await answer.json()) as { id: string };
  navigate(importPath(id));
  return [];
}
