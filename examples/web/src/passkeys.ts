type JSONObject = Readonly<Record<string, unknown>>;

/** Asks the browser for a new passkey; `options` are those of `startPasskey`. */
export async function createPasskey(options: JSONObject): Promise<JSONObject> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  return answerOf(navigator.credentials.create({ publicKey }));
}

/** Asks the browser to answer for one of the reader's passkeys; `options` are those of `startPasskeyLogin`. */
export async function askForPasskey(options: JSONObject): Promise<JSONObject> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  return answerOf(navigator.credentials.get({ publicKey }));
}

/** The reasons for which a browser gives no passkey, by the name of its error. */
const REFUSALS: Readonly<Record<string, string>> = {
  NotAllowedError: 'The browser gave no passkey: the question was cancelled, or was open for too long. Try again.',
  InvalidStateError: 'This device has a passkey for your account already.',
};
const NONE = 'The browser gave no passkey. Try again.';

async function answerOf(asked: Promise<Credential | null>): Promise<JSONObject> {
  const credential = await asked.catch(({ name }: Error) => {
    throw new Error(REFUSALS[name] ?? NONE);
  });
  if (!(credential instanceof PublicKeyCredential)) throw new Error(NONE);
  return { ...credential.toJSON() };
}
