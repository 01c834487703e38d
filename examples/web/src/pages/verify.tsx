import { useMutation } from '@apollo/client/react';
import { Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { VerifyEmailDocument } from '../documents.generated.ts';
import { text } from '../form-values.ts';
import { notify } from '../notices.ts';
import { navigate } from '../router.tsx';
import { useToken } from './reset.tsx';

/** The proof that an email address is the reader's. A link alone changes nothing, since mail scanners open links. */
export function Verify() {
  const token = useToken();
  const [verify] = useMutation(VerifyEmailDocument);
  const send = async (values: FormData) => {
    const { data } = await verify({ variables: { token: text(values, 'token') } });
    const problems = data?.verifyEmail.userErrors ?? [];
    if (problems.length > 0) return problems;
    notify('Your email address is verified.');
    navigate('/');
    return [];
  };
  return (
    <Page title="Verify your email address">
      <Form label="Verify" button="Verify" send={send}>
        <Field name="token" label="Token" defaultValue={token} autoComplete="off" hint="It is in the email." />
      </Form>
    </Page>
  );
}
