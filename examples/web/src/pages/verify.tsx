import { useMutation } from '@apollo/client/react';
import { Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { VerifyEmailDocument } from '../documents.generated.ts';
import { text } from '../form-values.ts';
import { notify } from '../notices.ts';
import { TokenField } from '../parts/mailed-token.tsx';
import { Link, navigate } from '../router.tsx';

/** The proof that an email address is the reader's. A link alone changes nothing, since mail scanners open links. */
export function Verify() {
  const [verify] = useMutation(VerifyEmailDocument);
  const send = async (values: FormData) => {
    const { data } = await verify({ variables: { token: text(values, 'token').trim() } });
    const { viewer, userErrors = [] } = data?.verifyEmail ?? {};
    if (userErrors.length > 0) return userErrors;
    notify(viewer?.email ? `Your email address ${viewer.email} is verified.` : 'Your email address is verified.');
    navigate('/');
    return [];
  };
  return (
    <Page title="Verify your email address">
      <p>You have got an email from this library. Confirm here that its address is yours.</p>
      <Form label="Verify" button="Verify the address" send={send}>
        <TokenField />
      </Form>
      <p>
        The email is too old, or lost? <Link to="/profile">Ask for another one</Link> on your profile.
      </p>
    </Page>
  );
}
