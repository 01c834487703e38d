import { useMutation } from '@apollo/client/react';
import { Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { RegisterDocument } from '../documents.generated.ts';
import { text } from '../form-values.ts';
import { notify } from '../notices.ts';
import { NewPassword } from '../parts/new-password.tsx';
import { useSettings } from '../parts/settings.ts';
import { Link, useAddress } from '../router.tsx';
import { device, enter, useGoOn } from './enter.ts';
import { Purpose } from './purpose.tsx';

/** A new account. */
export function Register() {
  const { search } = useAddress();
  useGoOn();
  const settings = useSettings();
  const [register] = useMutation(RegisterDocument);
  const send = async (values: FormData) => {
    const { data } = await register({
      variables: {
        fullName: text(values, 'fullName'),
        email: text(values, 'email'),
        password: text(values, 'password'),
        device,
      },
    });
    const problems = enter(data?.auth);
    if (problems.length === 0 && settings && settings.emailVerification !== 'ON_REQUEST')
      notify('Welcome! An email is on its way, by which you verify your address.');
    return problems;
  };
  return (
    <Page title="Sign up">
      <Purpose act="Sign up" />
      <Form label="Sign up" button="Sign up" send={send}>
        <Field name="fullName" label="Full name" autoComplete="name" hint="Everyone sees this name." />
        <Field name="email" label="Email" type="email" autoComplete="username" />
        <NewPassword name="password" label="Password" />
      </Form>
      <p>
        You have an account? <Link to={`/login${search}`}>Log in</Link>.
      </p>
    </Page>
  );
}
