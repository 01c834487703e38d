import { useMutation } from '@apollo/client/react';
import { CodeField } from '../components/code-field.tsx';
import { Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { ResetPasswordDocument } from '../documents.generated.ts';
import { given, text } from '../form-values.ts';
import { notifyUnless } from '../notices.ts';
import { NewPassword } from '../parts/new-password.tsx';
import { useAddress } from '../router.tsx';
import { device, enter } from './enter.ts';

/** A new password, by the token of an email. */
export function Reset() {
  const token = useToken();
  const [reset] = useMutation(ResetPasswordDocument);
  const send = async (values: FormData) => {
    const { data } = await reset({
      variables: {
        token: text(values, 'token'),
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
        <Field name="token" label="Token" defaultValue={token} autoComplete="off" hint="It is in the email." />
        <NewPassword name="password" label="New password" />
        <CodeField />
      </Form>
    </Page>
  );
}

/** Returns the token of a link in an email. It is behind the hash, which browsers send nowhere. */
export function useToken(): string {
  return new URLSearchParams(useAddress().hash.slice(1)).get('token') ?? '';
}
