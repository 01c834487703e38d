import { useApolloClient, useMutation } from '@apollo/client/react';
import { Choice, Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Section } from '../components/section.tsx';
import { BlockDocument, ReportDocument, type ReportReason } from '../documents.generated.ts';
import { wordsOf } from '../format.ts';
import { notify } from '../notices.ts';
import { navigate } from '../router.tsx';
import { given } from './enter.ts';

const REASONS = ['SPAM', 'OFFENSIVE', 'ILLEGAL', 'IMPERSONATION', 'OTHER'] as const satisfies readonly ReportReason[];

/** Blocking and reporting a reader. */
export function ReaderActions({ id, name }: { readonly id: string; readonly name: string }) {
  const client = useApolloClient();
  const [block] = useMutation(BlockDocument, { variables: { id } });
  const [report] = useMutation(ReportDocument);
  const hide = async () => {
    const { data } = await block();
    const problems = data?.block.userErrors ?? [];
    if (problems.length > 0) return problems;
    notify(`${name} is blocked: you see nothing of each other. Your profile has the list of blocks.`);
    // What is cached may still show the other reader.
    await client.clearStore();
    navigate('/');
    return [];
  };
  const tell = async (values: FormData) => {
    const reason = values.get('reason') as ReportReason;
    const { data } = await report({ variables: { id, reason, comment: given(values, 'comment') } });
    const problems = data?.report.userErrors ?? [];
    if (problems.length === 0) notify('Thank you. The administrators will look at it.');
    return problems;
  };
  return (
    <Section title="Something wrong?">
      <div className="columns">
        <Form label="Block" button={`Block ${name}`} send={hide} />
        <Form label="Report" button="Report" send={tell}>
          <Choice name="reason" label="Reason" options={REASONS.map((value) => [value, wordsOf(value)])} />
          <Field name="comment" label="Comment" />
        </Form>
      </div>
    </Section>
  );
}
