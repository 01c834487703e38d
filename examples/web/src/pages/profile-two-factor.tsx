import { useMutation } from '@apollo/client/react';
import { lazy, Suspense, useState } from 'react';
import { Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Section } from '../components/section.tsx';
import { ConfirmTwoFactorDocument, StartTwoFactorDocument, StopTwoFactorDocument } from '../documents.generated.ts';
import { text } from '../form-values.ts';
import { notify, notifyUnless } from '../notices.ts';

/** Few readers need the code, so its script is loaded when it is shown. Without it the secret can be typed. */
const QrCode = lazy(() =>
  import('./profile-qr-code.tsx').then(
    (module) => ({ default: module.QrCode }),
    () => ({ default: () => <></> }),
  ),
);

interface Props {
  readonly isOn: boolean;
  readonly isEmailVerified: boolean;
  readonly reload: () => void;
}

/** The second factor: a secret for an app, a code that confirms it, and recovery codes, shown once. */
export function SecondFactor({ isOn, isEmailVerified, reload }: Props) {
  const [secret, setSecret] = useState<{ readonly secret: string; readonly uri: string }>();
  const [codes, setCodes] = useState<readonly string[]>([]);
  const [start] = useMutation(StartTwoFactorDocument);
  const [confirm] = useMutation(ConfirmTwoFactorDocument);
  const [stop] = useMutation(StopTwoFactorDocument);
  const begin = async (values: FormData) => {
    const result = (await start({ variables: { password: text(values, 'password') } })).data?.startTwoFactor;
    if (result?.secret && result.uri) setSecret({ secret: result.secret, uri: result.uri });
    return result?.userErrors ?? [];
  };
  const turnOn = async (values: FormData) => {
    const { data } = await confirm({ variables: { code: text(values, 'code') } });
    const { recoveryCodes, userErrors = [] } = data?.confirmTwoFactor ?? {};
    setCodes(recoveryCodes ?? []);
    const [problem] = userErrors;
    if (!problem || problem.path?.at(-1) === 'code') return userErrors;
    // The secret is of no use any more: it was replaced or confirmed elsewhere, so the form begins anew.
    setSecret(undefined);
    notify(problem.message);
    reload();
    return [];
  };
  const turnOff = async (values: FormData) => {
    const { data } = await stop({ variables: { password: text(values, 'password'), code: text(values, 'code') } });
    if (data?.stopTwoFactor.viewer) {
      setSecret(undefined);
      setCodes([]);
    }
    return notifyUnless(data?.stopTwoFactor.userErrors, 'The second factor is off.');
  };
  return (
    <Section title="Second factor">
      {codes.length > 0 && (
        <div role="status">
          <p>Keep these recovery codes. Each replaces a code once, if you lose the app:</p>
          <ul aria-label="Recovery codes">
            {codes.map((code) => (
              <li key={code}>
                <code>{code}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
      <p>{isOn ? 'Logging in takes a code of your app.' : 'Logging in takes the password alone.'}</p>
      {!isOn && !secret && (
        <details>
          <summary>Turn the second factor on</summary>
          {!isEmailVerified && (
            <p>Verify your email address first. Otherwise a lost password is set anew without a code.</p>
          )}
          <Form label="Second factor" button="Show the secret" send={begin}>
            <Field name="password" label="Password" type="password" autoComplete="current-password" />
          </Form>
        </details>
      )}
      {!isOn && secret && (
        <>
          <Suspense>
            <QrCode text={secret.uri} label="The secret as a QR code" />
          </Suspense>
          <p>
            Scan the code with the app, <a href={secret.uri}>open the app on this device</a>, or type the secret into
            it: <code>{secret.secret}</code>
          </p>
          <Form label="Confirm the second factor" button="Turn it on" send={turnOn}>
            <Field name="code" label="Code" autoComplete="one-time-code" inputMode="numeric" />
          </Form>
        </>
      )}
      {isOn && (
        <details>
          <summary>Turn the second factor off</summary>
          <Form label="End of the second factor" button="Turn it off" send={turnOff}>
            <Field name="password" label="Password" type="password" autoComplete="current-password" />
            <Field name="code" label="Code" autoComplete="one-time-code" />
          </Form>
        </details>
      )}
    </Section>
  );
}
