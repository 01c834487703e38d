import { useMutation } from '@apollo/client/react';
import { useState } from 'react';
import { Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { RequestPasswordResetDocument } from '../documents.generated.ts';
import { text } from '../form-values.ts';
import { OpenIt } from '../parts/mailed-token.tsx';

/** The request for an email with a token. The answer does not say whether the account exists. */
export function LostPassword() {
  const [request] = useMutation(RequestPasswordResetDocument);
  const [isSent, setSent] = useState(false);
  const send = async (values: FormData) => {
    const { data } = await request({ variables: { email: text(values, 'email') } });
    const problems = data?.requestPasswordReset.userErrors ?? [];
    setSent(problems.length === 0);
    return problems;
  };
  return (
    <Page title="Lost password">
      <Form label="Lost password" button="Send an email" send={send}>
        <Field name="email" label="Email" type="email" autoComplete="username" />
      </Form>
      <div role="status">
        {isSent && (
          <p>
            If an account has this address, an email is on its way. <OpenIt page="/reset" />
          </p>
        )}
      </div>
    </Page>
  );
}
