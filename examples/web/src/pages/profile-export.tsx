import { signedFetch } from '../auth.ts';
import { CodeField } from '../components/code-field.tsx';
import { Choice, Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Section } from '../components/section.tsx';
import { problemsIn, type Problem } from '../errors.ts';
import { given, text } from '../form-values.ts';
import { notify } from '../notices.ts';

const ENDPOINT = '/export-my-data';
const FORMATS = [
  ['GOODREADS', 'My library, as other services read it'],
  ['JSON', 'Everything that is stored about me'],
] as const;

/** The way out: the reader's library or all of their data as a file. */
export function ExportForm() {
  return (
    <Section title="My data">
      <details>
        <summary>Download my data</summary>
        <Form label="Download" button="Download" send={download}>
          <Choice name="format" label="What" options={FORMATS} />
          <Field name="password" label="Current password" type="password" autoComplete="current-password" />
          <CodeField />
        </Form>
      </details>
    </Section>
  );
}

async function download(values: FormData): Promise<readonly Problem[]> {
  const answer = await signedFetch(ENDPOINT, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      password: text(values, 'password'),
      code: given(values, 'code'),
      format: text(values, 'format'),
    }),
  });
  if (!answer.ok) return problemsIn(answer);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await answer.blob());
  link.download = /filename="(.+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? 'my-data';
  link.click();
  URL.revokeObjectURL(link.href);
  notify('The file is downloaded.');
  return [];
}
