import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

/** The certificates and the key for connections to Cassandra, in PEM. */
export interface Tls {
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

/** Reads the given files of TLS. */
export const readTls = (files: Tls): Tls => ({ ca: read(files.ca), cert: read(files.cert), key: read(files.key) });

const read = (file: string | undefined) => file && readFileSync(file, 'utf8');

/** Returns why the files of TLS cannot be used; `undefined` if they can. */
export function tlsProblem(files: Tls): string | undefined {
  try {
    const { ca, cert, key } = readTls(files);
    // The certificate is parsed here, because a TLS context accepts any text as authorities and
    // then trusts nobody.
    if (ca !== undefined) new X509Certificate(ca);
    createSecureContext({ ca, cert, key });
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return (
      `CASSANDRA_TLS_CA, CASSANDRA_TLS_CERT or CASSANDRA_TLS_KEY cannot be used (${why}); ` +
      'they are files in PEM, and the key is that of the certificate'
    );
  }
}
