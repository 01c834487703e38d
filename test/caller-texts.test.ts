import { Session } from 'node:inspector/promises';
import { beforeAll, expect, test } from 'vitest';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';

/**
 * The collections of the whole process, libraries included, while callers send texts that are new
 * to the server.
 */

const REQUESTS = 240;
/**
 * A comment at the end of each document. A cache bounded by characters then holds fewer documents
 * than there are requests.
 */
const COMMENT = `\n# ${'-'.repeat(2_500)}`;
/**
 * The minimum size of a reported collection. Every second request is refused because of its token,
 * so a collection may have one entry for each of the two kinds.
 */
const GROWN = REQUESTS * 0.45;

let server: TestServer;

beforeAll(async () => {
  server = await startServer(await sharedKeyspace());
});

/** Sends texts that are new to the server, one of each kind in a request. */
async function sendTexts(number: number): Promise<void> {
  const text = `text${number}`;
  const reader = server.client();
  reader.headers = {
    accept: `application/json, text/${text}`,
    'accept-language': text,
    origin: `https://${text}.example`,
    'x-forwarded-for': `2001:db8::${number.toString(16)}`,
    'apollographql-client-name': text,
    'user-agent': text,
    [`x-${text}`]: text,
  };
  reader.token = number % 2 === 0 ? `${text}.${text}.${text}` : undefined;
  const query = `query ${text}($isbn: String!, $after: String, $id: ID!) {
    ${text}: book(isbn: $isbn) { id ${text}: title }
    search: books(query: "${text} ab${text}", first: 2) { pageInfo { endCursor } }
    author: books(author: "${text}", genre: "${text}", first: 2, after: $after) { pageInfo { endCursor } }
    libraries(country: "US", state: "${text}", city: "${text}", first: 2) { pageInfo { endCursor } }
    cities(country: "${text}", state: "${text}") { edges { node { name } } }
    node(id: $id) { id ... on User { readBooks(first: 1) { edges { readOn(timeZone: "${text}") } } } }
    viewer { loginCount(last: "PT${number}S") logins(timeZone: "Etc/${text}") { day } }
  }${COMMENT}`;
  const variables = { isbn: String(number), after: Buffer.from(text).toString('base64url'), id: `User-${text}` };
  await reader.send(query, variables, text);
  await reader.send(`query ${text} { ${text}: __typename }${COMMENT}`, { [text]: text }, text);
  await reader.send(`query { ${text} }${COMMENT}`, {}, `other${text}`);
  await fetch(`${server.url}/${text}?${text}=${text}`, { method: 'GET' });
  await fetch(`${server.url}/graphql?query={__typename}&operationName=${text}&extensions=${text}`);
  await reader.send(
    `mutation ($email: String!) { login(input: { email: $email, password: "${text}" }) { userErrors { code } } }${COMMENT}`,
    { email: `${text}@${text}.example` },
  );
}

/**
 * Describes large collections. This function runs inside the server process and visits all of its
 * objects.
 */
function describeLarge(this: object[], sizeMin: number): string[] {
  const keysOf = (each: object): unknown[] => {
    const { toStringTag } = Symbol;
    try {
      if (each instanceof Map || each instanceof Set) return [...each.keys()];
      return Object.getPrototypeOf(each) === Object.prototype && !(toStringTag in each) ? Object.keys(each) : [];
    } catch {
      // The prototype of a class of maps is no map.
      return [];
    }
  };
  const described = (keys: unknown[]) =>
    `${keys.length} keys: … ${keys
      .slice(-2)
      .map((key) => String(key).slice(0, 60))
      .join(', ')}`;
  return this.map(keysOf)
    .filter((keys) => keys.length >= sizeMin)
    .map(described);
}

/** Lists the Maps, Sets and plain objects of the process that have at least a number of entries. */
async function largeCollections(sizeMin: number): Promise<string[]> {
  const session = new Session();
  session.connect();
  try {
    const { result } = await session.post('Runtime.evaluate', { expression: 'Object.prototype' });
    const { objects } = await session.post('Runtime.queryObjects', { prototypeObjectId: result.objectId! });
    const answer = await session.post('Runtime.callFunctionOn', {
      objectId: objects.objectId!,
      functionDeclaration: describeLarge.toString(),
      arguments: [{ value: sizeMin }],
      returnByValue: true,
    });
    expect(answer.exceptionDetails).toBeUndefined();
    return answer.result.value as string[];
  } finally {
    session.disconnect();
  }
}

test('no collection of the process, of ours or of a library, keeps the texts of all callers', async () => {
  await sendTexts(0);
  const before = await largeCollections(GROWN);

  for (let number = 1; number <= REQUESTS; number += 10)
    await Promise.all(Array.from({ length: 10 }, (_each, index) => sendTexts(number + index)));

  const grown = (await largeCollections(GROWN)).filter((each) => !before.includes(each));
  expect(grown).toEqual([]);
});
