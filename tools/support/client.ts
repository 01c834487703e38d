import { deepEqual, equal } from 'node:assert/strict';

/* eslint-disable @typescript-eslint/no-explicit-any -- the query decides what an answer has */

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly data: any;
  readonly errors?: { message: string; path?: (string | number)[]; extensions: { code: string } }[];
}

/** The password of every reader, unless a test chooses another one. */
export const PASSWORD = 'correct horse';

const TOKENS = 'accessToken refreshToken viewer { id }';

let people = 0;

/** A frontend: it sends GraphQL over HTTP, with the token that it received last. */
export class Client {
  readonly url: string;
  token: string | undefined;
  /** The token for the next `refreshTokens`. */
  refreshToken = '';
  viewerId = '';
  email = '';
  /** The headers of every request, such as the address that a proxy reports. */
  headers: Readonly<Record<string, string>> = {};

  constructor(url: string) {
    this.url = url;
  }

  /** Sends all further requests from an address, as a proxy reports it. */
  from(address: string): this {
    this.headers = { 'x-forwarded-for': address };
    return this;
  }

  /** Sends an operation and returns any answer. */
  async send(query: string, variables: Record<string, unknown> = {}, operationName?: string): Promise<Answer> {
    const response = await fetch(`${this.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
        ...this.headers,
      },
      body: JSON.stringify({ query, variables, operationName }),
    });
    const answer = (await response.json()) as Pick<Answer, 'data' | 'errors'>;
    return { status: response.status, headers: response.headers, ...answer };
  }

  /** Sends an operation that must succeed and returns its data. */
  async data(query: string, variables: Record<string, unknown> = {}): Promise<any> {
    const answer = await this.send(query, variables);
    equal(answer.errors, undefined);
    return answer.data;
  }

  /** Sends an operation that must fail with a GraphQL error, and returns its code. */
  async errorCode(query: string, variables: Record<string, unknown> = {}): Promise<string | undefined> {
    return (await this.send(query, variables)).errors?.[0]?.extensions.code;
  }

  /** Sends a mutation with one root field and returns its payload. */
  async mutate(field: string, input: Record<string, unknown>, selection: string): Promise<any> {
    const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input!`;
    const query = `mutation ($input: ${type}) { ${field}(input: $input) {
      ${selection} userErrors { code message path retryAfterSeconds }
    } }`;
    return (await this.data(query, { input }))[field];
  }

  /** Registers a new reader and continues as that reader. */
  async registerSomebody(fullName = 'Somebody'): Promise<this> {
    this.email = `somebody-${process.pid}-${++people}-${Date.now()}@example.com`;
    const input = { email: this.email, password: PASSWORD, fullName };
    return this.useTokens(await this.mutate('register', input, TOKENS));
  }

  /** Logs in and continues as that reader. */
  async login(email: string, device?: string): Promise<this> {
    this.email = email;
    return this.useTokens(await this.mutate('login', { email, password: PASSWORD, device }, TOKENS));
  }

  /** Takes the tokens of an answer. */
  useTokens(answer: any): this {
    deepEqual(answer.userErrors, []);
    this.token = answer.accessToken;
    this.refreshToken = answer.refreshToken;
    this.viewerId = answer.viewer.id;
    return this;
  }

  /** Requests the export of the reader's own data. */
  exportMyData = (body: unknown = { password: PASSWORD }): Promise<Response> =>
    fetch(`${this.url}/export-my-data`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
        ...this.headers,
      },
      body: JSON.stringify(body),
    });

  /** Sends a file of another service, and returns any answer. */
  importMyLibrary = (file: Buffer | string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(`${this.url}/import-my-library`, {
      method: 'POST',
      headers: {
        'content-type': 'text/csv',
        ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
        ...this.headers,
        ...headers,
      },
      body: file,
    });

  like = (id: string) => this.mutate('like', { id }, 'changed likeable { likeCount viewerHasLiked }');
  unlike = (id: string) => this.mutate('unlike', { id }, 'changed likeable { likeCount viewerHasLiked }');

  /**
   * Pages through a connection from one end to the other.
   * @param connection reads one page; its arguments are put into the query
   * @returns the edges in the list's order
   */
  async allPages(
    pageSize: number,
    direction: 'forward' | 'backward',
    read: (args: string) => Promise<any>,
  ): Promise<any[]> {
    const edges: any[] = [];
    let cursor: string | null = null;
    for (;;) {
      const [size, from] = direction === 'forward' ? ['first', 'after'] : ['last', 'before'];
      const page: any = await read(`${size}: ${pageSize}${cursor === null ? '' : `, ${from}: "${cursor}"`}`);
      const { hasNextPage, hasPreviousPage, startCursor, endCursor } = page.pageInfo;
      equal(startCursor, page.edges.at(0)?.cursor ?? null);
      equal(endCursor, page.edges.at(-1)?.cursor ?? null);
      // A page that began at a cursor has another page on that side.
      equal(direction === 'forward' ? hasPreviousPage : hasNextPage, cursor !== null);
      if (direction === 'forward') edges.push(...page.edges);
      else edges.unshift(...page.edges);
      const more: boolean = direction === 'forward' ? hasNextPage : hasPreviousPage;
      if (!more) return edges;
      equal(page.edges.length, pageSize);
      cursor = direction === 'forward' ? endCursor : startCursor;
    }
  }
}

/** The fields that {@link Client.allPages} needs of a connection. */
export const PAGE_INFO = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
