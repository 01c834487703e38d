import { createDecipheriv, createECDH, hkdfSync, randomBytes, type ECDH } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { endWithFile } from './app.ts';

/** A push service, and browsers that decrypt what it gets (RFC 8030, RFC 8291). */

const pem = (name: string) => readFileSync(join(import.meta.dirname, '../tls', `${name}.pem`));

/** A message as the service got it. */
export interface Pushed {
  readonly method: string | undefined;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A push service of a test file. */
export interface PushService {
  /** Its host and port, for PUSH_HOSTS. */
  readonly host: string;
  readonly received: Pushed[];
  /** Answers messages to a path in another way than by 201. */
  readonly answers: Map<string, (response: ServerResponse) => void>;
}

/** Starts a push service by https. This process trusts its certificate. */
export async function startPushService(): Promise<PushService> {
  setDefaultCACertificates([...getCACertificates('default'), pem('next-ca').toString()]);
  const received: Pushed[] = [];
  const answers: PushService['answers'] = new Map();
  const server = createServer({ cert: pem('renewed'), key: pem('renewed.key') }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url: path = '', headers } = request;
      received.push({ method, path, headers, body: Buffer.concat(chunks) });
      const answer = answers.get(path) ?? ((given: ServerResponse) => given.writeHead(201).end());
      answer(response);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  endWithFile(() => {
    server.closeAllConnections();
    server.close();
  });
  return { host: `localhost:${(server.address() as AddressInfo).port}`, received, answers };
}

const KEY_BYTES = 65;
const SALT_BYTES = 16;
const HEADER_BYTES = SALT_BYTES + 5 + KEY_BYTES;
const TAG_BYTES = 16;
/** The byte after the text of the last record (RFC 8188, 2). */
const LAST = 2;

let browsers = 0;

/** The keys of a push subscription. */
export class Browser {
  readonly path = `/push/${++browsers}`;
  readonly #service: PushService;
  readonly #keys: ECDH;
  readonly #auth: Buffer;

  /** @param given the private key and the secret; random ones unless given */
  constructor(service: PushService, given?: { readonly privateKey: Buffer; readonly auth: Buffer }) {
    this.#service = service;
    this.#keys = createECDH('prime256v1');
    if (given) this.#keys.setPrivateKey(given.privateKey);
    else this.#keys.generateKeys();
    this.#auth = given?.auth ?? randomBytes(SALT_BYTES);
  }

  /** The subscription, as the input of `addPushSubscription`. */
  get subscription() {
    return {
      endpoint: `https://${this.#service.host}${this.path}`,
      p256dh: this.#keys.getPublicKey('base64url'),
      auth: this.#auth.toString('base64url'),
    };
  }

  /** The messages to this browser, oldest first. */
  get messages(): Pushed[] {
    return this.#service.received.filter(({ path }) => path === this.path);
  }

  /** The texts of these messages. */
  get texts(): unknown[] {
    return this.messages.map(({ body }) => JSON.parse(this.decrypt(body)) as unknown);
  }

  /** Decrypts the body of a message. */
  decrypt(body: Buffer): string {
    const salt = body.subarray(0, SALT_BYTES);
    const sender = body.subarray(HEADER_BYTES - KEY_BYTES, HEADER_BYTES);
    const shared = this.#keys.computeSecret(sender);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#keys.getPublicKey(), sender]);
    const secret = Buffer.from(hkdfSync('sha256', shared, this.#auth, info, 32));
    const derived = (name: string, length: number) =>
      Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, length));

    const decipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12));
    decipher.setAuthTag(body.subarray(-TAG_BYTES));
    const record = Buffer.concat([decipher.update(body.subarray(HEADER_BYTES, -TAG_BYTES)), decipher.final()]);
    return record.subarray(0, record.lastIndexOf(LAST)).toString();
  }
}
