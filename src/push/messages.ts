import { createECDH, createHmac, createPrivateKey, type ECDH, type KeyObject } from 'node:crypto';
import { createRequire } from 'node:module';
import { SignJWT } from 'jose';
import type { PushConfig } from '../config/config.ts';
import type { NotificationKind } from '../graphql/generated/schema-types.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../time/units.ts';
import type { PushSubscription } from './inputs.ts';

/** Push messages: encrypted (RFC 8291), and signed for their push service (RFC 8292). */

/** The package has no types. */
const { encrypt } = createRequire(import.meta.url)('http_ece') as {
  /**
   * Encrypts a text by RFC 8188, with a random salt, in one record.
   * @param keys `dh`: the public key of the receiver; `privateKey`: a new key pair
   */
  encrypt: (text: Buffer, keys: { version: 'aes128gcm'; dh: Buffer; privateKey: ECDH; authSecret: Buffer }) => Buffer;
};

/** The time for which a push service keeps a message for a browser that is offline. */
const KEPT_SECONDS = DAY_SECONDS;
/** The validity of a signature. A push service accepts at most a day (RFC 8292, 2). */
const SIGNED_SECONDS = 12 * HOUR_SECONDS;
/** All messages have this length, so that it tells the push service nothing. */
const MESSAGE_BYTES = 64;
/** The length of a topic, at most 32 characters of base64url (RFC 8030, 5.4). */
const TOPIC_LENGTH = 22;

const CURVE = 'prime256v1';
const KEY_BYTES = 32;

const base64url = (bytes: Buffer) => bytes.toString('base64url');

/** A request to a push service. */
export interface PushRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Returns the public key of this library, an uncompressed point in base64url. */
export const publicKeyOf = ({ privateKey }: PushConfig): string => base64url(pointOf(privateKey));

function pointOf(privateKey: Buffer): Buffer {
  const keys = createECDH(CURVE);
  keys.setPrivateKey(privateKey);
  return keys.getPublicKey();
}

/**
 * Returns the private key in the form that signs.
 * @param point its public key
 */
function signingKey({ privateKey }: PushConfig, point: Buffer): KeyObject {
  // The first byte says that both coordinates follow.
  const [x, y] = [point.subarray(1, 1 + KEY_BYTES), point.subarray(1 + KEY_BYTES)];
  const texts = { d: base64url(privateKey), x: base64url(x), y: base64url(y) };
  return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', ...texts }, format: 'jwk' });
}

/**
 * Makes the message that there is news of a kind. It says nothing else: it is shown later than it
 * is sent, when a like may have been taken back, or its reader be blocked.
 */
export async function pushRequest(
  push: PushConfig,
  { endpoint, p256dh, auth }: PushSubscription,
  kind: NotificationKind,
  now: Date,
): Promise<PushRequest> {
  const point = pointOf(push.privateKey);
  const jwt = await new SignJWT()
    .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
    .setAudience(new URL(endpoint).origin)
    .setSubject(push.contact)
    .setExpirationTime(Math.floor(now.getTime() / 1_000) + SIGNED_SECONDS)
    .sign(signingKey(push, point));

  const privateKey = createECDH(CURVE);
  privateKey.generateKeys();
  const [dh, authSecret] = [Buffer.from(p256dh, 'base64url'), Buffer.from(auth, 'base64url')];
  const text = Buffer.from(JSON.stringify({ kind }).padEnd(MESSAGE_BYTES));
  return {
    headers: {
      authorization: `vapid t=${jwt}, k=${base64url(point)}`,
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(KEPT_SECONDS),
      // A message that waits for its browser is replaced by the next one of its kind. The push
      // service does not learn the kind.
      topic: createHmac('sha256', authSecret).update(kind).digest('base64url').slice(0, TOPIC_LENGTH),
    },
    body: encrypt(text, { version: 'aes128gcm', dh, privateKey, authSecret }),
  };
}
