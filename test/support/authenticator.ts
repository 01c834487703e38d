import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/**
 * An authenticator with one passkey, and the browser in front of it: the answers of
 * `navigator.credentials`, as JSON (WebAuthn, level 3).
 */
export class Authenticator {
  readonly credentialId: string;
  /** The key pair. A copy of an authenticator has the same one. */
  readonly #key: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  #userHandle = '';

  constructor(
    key: { readonly publicKey: KeyObject; readonly privateKey: KeyObject } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
    }),
    idBytes = 16,
  ) {
    this.credentialId = randomBytes(idBytes).toString('base64url');
    this.#key = key;
  }

  /** Answers the options of a new passkey. */
  create(options: Options, said: Said): Record<string, unknown> {
    this.#userHandle = options.user?.id ?? '';
    const { x = '', y = '' } = this.#key.publicKey.export({ format: 'jwk' });
    const id = Buffer.from(this.credentialId, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    // COSE, RFC 9053: an ES256 key of the curve P-256.
    const padding: [number, Uint8Array][] =
      said.keyPadding === undefined ? [] : [[-70_000, new Uint8Array(said.keyPadding)]];
    const publicKey = isoCBOR.encode(
      new Map<number, number | Uint8Array>([[1, 2], [3, -7], [-1, 1], [-2, bytesOf(x)], [-3, bytesOf(y)], ...padding]),
    );
    const made = Buffer.concat([Buffer.alloc(16), length, id, publicKey]);
    const authData = Buffer.concat([dataOf(options.rp?.id ?? '', said, ATTESTED), made]);
    const clientDataJSON = clientDataOf('webauthn.create', options, said);
    const { format = 'none', statement = {} } = said;
    const own = format === 'packed' ? { alg: -7, sig: this.#sign(authData, clientDataJSON) } : {};
    const attStmt = new Map<string, unknown>(Object.entries({ ...own, ...statement }));
    const attestation = new Map<string, unknown>([
      ['fmt', format],
      ['attStmt', attStmt],
      ['authData', new Uint8Array(authData)],
    ]);
    return this.#answer({
      clientDataJSON,
      attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
    });
  }

  /** Answers the options of a login. */
  get(options: Options, said: Said): Record<string, unknown> {
    const authData = dataOf(options.rpId ?? '', said, 0);
    const clientDataJSON = clientDataOf('webauthn.get', options, said);
    return this.#answer({
      clientDataJSON,
      authenticatorData: authData.toString('base64url'),
      signature: Buffer.from(this.#sign(authData, clientDataJSON)).toString('base64url'),
      userHandle: said.userHandle ?? this.#userHandle,
    });
  }

  #sign(authData: Buffer, clientDataJSON: string): Uint8Array {
    const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest();
    return new Uint8Array(createSign('sha256').update(authData).update(hash).sign(this.#key.privateKey));
  }

  #answer(response: Record<string, string>) {
    const { credentialId: id } = this;
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }
}

/** The options that this file reads. */
export interface Options {
  readonly challenge: string;
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
  readonly user?: { readonly id: string };
}

/** Further values that a browser and an authenticator report. */
export interface Said {
  readonly origin: string;
  /** The number of uses; 0 if the authenticator does not count. */
  readonly counter?: number;
  readonly isUnlocked?: boolean;
  readonly rpId?: string;
  readonly userHandle?: string;
  /**
   * Further fields that the browser reports about the page, such as the site that has it in a
   * frame.
   */
  readonly page?: Readonly<Record<string, unknown>>;
  /** The number of bytes that are added to the public key. */
  readonly keyPadding?: number;
  /**
   * The attestation format of a new passkey. `packed` is self-signed unless the statement has
   * certificates.
   */
  readonly format?: string;
  readonly statement?: Readonly<Record<string, unknown>>;
}

const [PRESENT, VERIFIED, ATTESTED] = [0x01, 0x04, 0x40];

const bytesOf = (base64url: string) => new Uint8Array(Buffer.from(base64url, 'base64url'));

function dataOf(rpId: string, { counter = 0, isUnlocked = true, rpId: other }: Said, flags: number): Buffer {
  const rest = Buffer.alloc(5);
  rest.writeUInt8(PRESENT | (isUnlocked ? VERIFIED : 0) | flags);
  rest.writeUInt32BE(counter, 1);
  return Buffer.concat([
    createHash('sha256')
      .update(other ?? rpId)
      .digest(),
    rest,
  ]);
}

const clientDataOf = (type: string, { challenge }: Options, { origin, page }: Said) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...page })).toString('base64url');
