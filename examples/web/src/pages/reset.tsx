import { useMutation } from '@apollo/client/react';
import { CodeField } from '../components/code-field.tsx';
import { Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { ResetPasswordDocument } from '../documents.generated.ts';
import { given, text } from '../form-values.ts';
import { notifyUnless } from '../notices.ts';
import { TokenField } from '../parts/mailed-token.tsx';
import { NewPassword } from '../parts/new-password.tsx';
import { Link } from '../router.tsx';
import { device, enter } from './enter.ts';

/** A new password, by the token of an email. */
export function Reset() {
  const [reset] = useMutation(ResetPasswordDocument);
  const send = async (values: FormData) => {
    const { data } = await reset({
      variables: {
        token: text(values, 'token').trim(),
        password: text(values, 'password'),
        code: given(values, 'code'),
        device,
      },
    });
    return notifyUnless(enter(data?.auth), 'Your password is changed.');
  };
  return (
    <Page title="New password">
      <Form label="New password" button="Set the password" send={send}>
        <TokenField />
        <NewPassword name="password" label="New password" />
        <CodeField />
      </Form>
      <p>
        The email is too old, or lost? <Link to="/lost-password">Ask for another one</Link>.
      </p>
    </Page>
  );
}
