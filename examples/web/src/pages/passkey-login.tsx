import { useMutation } from '@apollo/client/react';
import { Form } from '../components/form.tsx';
import { LoginWithPasskeyDocument, StartPasskeyLoginDocument } from '../documents.generated.ts';
import { askForPasskey } from '../passkeys.ts';
import { device, enter } from './enter.ts';

/** The login with a passkey, in place of email address, password and code. */
export function PasskeyLogin() {
  const [start] = useMutation(StartPasskeyLoginDocument);
  const [login] = useMutation(LoginWithPasskeyDocument);
  const send = async () => {
    const { options, userErrors } = (await start()).data?.startPasskeyLogin ?? {};
    if (!options) return userErrors ?? [];
    const { data } = await login({ variables: { response: await askForPasskey(options), device } });
    return enter(data?.auth);
  };
  return <Form label="Passkey" button="Log in with a passkey" send={send} />;
}
