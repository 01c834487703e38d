type JSONObject = Readonly<Record<string, unknown>>;

/** Asks the browser for a new passkey; `options` are those of `startPasskey`. */
export async function createPasskey(options: JSONObject): Promise<JSONObject> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  return answerOf(await navigator.credentials.create({ publicKey }));
}

/** Asks the browser to answer for one of the reader's passkeys; `options` are those of `startPasskeyLogin`. */
export async function askForPasskey(options: JSONObject): Promise<JSONObject> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  return answerOf(await navigator.credentials.get({ publicKey }));
}

function answerOf(credential: Credential | null): JSONObject {
  if (!(credential instanceof PublicKeyCredential)) throw new Error('The browser returned no passkey. Try again.');
  return { ...credential.toJSON() };
}
