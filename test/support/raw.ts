import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

export interface RawAnswer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * Sends a request as it is, and returns the bytes of its answer. `fetch` would tidy the path, and
 * decompress the answer.
 * @param body the body of a POST request; a GET request has none
 */
export async function raw(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<RawAnswer> {
  const { hostname: host, port } = new URL(url);
  const method = body === undefined ? 'GET' : 'POST';
  const asked = request({ host, port, path, method, headers }).end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const bytes = Buffer.concat((await response.toArray()) as Buffer[]);
  return { status: response.statusCode, headers: response.headers, body: bytes };
}
