import { ECDH } from 'node:crypto';
import { invalidInput, UserError } from '../graphql/errors.ts';
import { readInput } from '../graphql/inputs.ts';
import type { PushConfig } from '../config/config.ts';
import { readEndpoint } from './endpoints.ts';

/** A push subscription, with the names of the Push API of the W3C. */
export interface PushSubscription {
  /** The URL that messages are sent to. */
  readonly endpoint: string;
  /** The browser's public key: a point of the curve P-256, in base64url. */
  readonly p256dh: string;
  /** The secret that the browser shares with this server: 16 bytes, in base64url. */
  readonly auth: string;
}

const AUTH_BYTES = 16;
const POINT_BYTES = 65;
/** Padding at the end of a key is accepted, which browsers do not send. */
const PADDING = /={0,2}$/;

/**
 * Reads a push subscription.
 * @throws {UserError} `INVALID_INPUT` about each wrong field
 */
export const subscriptionInput = ({ hosts }: PushConfig, given: PushSubscription): PushSubscription =>
  readInput({
    endpoint: () => {
      const endpoint = readEndpoint(given.endpoint, hosts);
      if (endpoint !== undefined) return endpoint;
      throw invalidInput(['endpoint'], `An endpoint is a URL by https at one of: ${hosts.join(', ')}.`);
    },
    p256dh: () => {
      const key = bytesOf(given.p256dh, POINT_BYTES);
      if (key && isPoint(key)) return key.toString('base64url');
      throw notFrom('p256dh');
    },
    auth: () => {
      const secret = bytesOf(given.auth, AUTH_BYTES);
      if (secret) return secret.toString('base64url');
      throw notFrom('auth');
    },
  });

const notFrom = (field: 'p256dh' | 'auth'): UserError =>
  invalidInput([field], `This is no ${field}; send that of the browser's PushSubscription, in base64url.`);

/** Returns the bytes of a text in base64url; `undefined` if they are not that many. */
function bytesOf(text: string, length: number): Buffer | undefined {
  const isShort = text.length <= 2 * length;
  const bytes = isShort ? Buffer.from(text, 'base64url') : Buffer.alloc(0);
  return bytes.length === length && bytes.toString('base64url') === text.replace(PADDING, '') ? bytes : undefined;
}

/** True for an uncompressed point of the curve P-256. */
function isPoint(key: Buffer): boolean {
  try {
    ECDH.convertKey(key, 'prime256v1');
    return true;
  } catch {
    return false;
  }
}
