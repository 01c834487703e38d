import { useMutation } from '@apollo/client/react';
import { useState } from 'react';
import { Choice, Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { ReportDocument, type ReportReason } from '../documents.generated.ts';
import { given } from '../form-values.ts';
import { wordsOf } from '../format.ts';
import { notifyUnless } from '../notices.ts';

const REASONS = ['SPAM', 'OFFENSIVE', 'ILLEGAL', 'IMPERSONATION', 'OTHER'] as const satisfies readonly ReportReason[];

/** A form that reports a reader, a list or a review to the administrators. */
export function ReportForm({ id }: { readonly id: string }) {
  const [report] = useMutation(ReportDocument);
  const [isReported, setReported] = useState(false);
  const tell = async (values: FormData) => {
    const reason = values.get('reason') as ReportReason;
    const { data } = await report({ variables: { id, reason, comment: given(values, 'comment') } });
    const problems = notifyUnless(data?.report.userErrors, 'Thank you. The administrators will look at it.');
    setReported(problems.length === 0);
    return problems;
  };
  if (isReported) return <p>You have reported it.</p>;
  return (
    <Form label="Report" button="Report" send={tell}>
      <Choice name="reason" label="Reason" options={REASONS.map((value) => [value, wordsOf(value)])} />
      <Field name="comment" label="Comment" />
    </Form>
  );
}
