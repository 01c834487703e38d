import { useMutation } from '@apollo/client/react';
import { CodeField } from '../components/code-field.tsx';
import { Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { LoginDocument } from '../documents.generated.ts';
import { given, text } from '../form-values.ts';
import { takesPasskeys, useSettings } from '../parts/settings.ts';
import { Link, useAddress } from '../router.tsx';
import { device, enter, useGoOn } from './enter.ts';
import { PasskeyLogin } from './passkey-login.tsx';
import { Purpose } from './purpose.tsx';

/** The login with password and second factor. */
export function Login() {
  const { search } = useAddress();
  useGoOn();
  const settings = useSettings();
  const [login] = useMutation(LoginDocument);
  const send = async (values: FormData) => {
    const { data } = await login({
      variables: {
        email: text(values, 'email'),
        password: text(values, 'password'),
        code: given(values, 'code'),
        device,
      },
    });
    return enter(data?.auth);
  };
  return (
    <Page title="Log in">
      <Purpose act="Log in" />
      <Form label="Log in" button="Log in" send={send}>
        <Field name="email" label="Email" type="email" autoComplete="username webauthn" />
        <Field name="password" label="Password" type="password" autoComplete="current-password" />
        <CodeField />
      </Form>
      <p>
        {settings?.sendsEmails !== false && <Link to="/lost-password">Lost password?</Link>} New here?{' '}
        <Link to={`/register${search}`}>Sign up</Link>.
      </p>
      {takesPasskeys(settings) && <PasskeyLogin />}
    </Page>
  );
}
