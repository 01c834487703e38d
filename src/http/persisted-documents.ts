import { hash as digest } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ApolloServerPlugin } from '@apollo/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parse } from 'graphql';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import type { RequestContext } from '../context/context.ts';
import { badUserInput } from '../graphql/errors.ts';
import { TOKENS_MAX } from './document-limits.ts';
import { answerOf } from './errors.ts';
import { searchOf } from './graphql.ts';
import type { Validation } from './validation.ts';

/**
 * Persisted documents: clients send the SHA-256 of a document instead of its text, as `documentId`
 * (the proposal of GraphQL over HTTP) or as `extensions.persistedQuery` (Apollo Client and urql).
 * All documents are in a file that is read at start. Anybody could fill a store that accepts
 * documents from clients.
 */

/** Clients recognise a missing document by this message, not by the code. */
const NOT_FOUND = badUserInput('PersistedQueryNotFound');
const OTHER_DOCUMENT = badUserInput(
  'The hash is not the SHA-256 of the query that was sent with it. Send the query alone, or the hash alone.',
);
const NOT_PERSISTED = badUserInput(
  'This server answers only persisted documents, and this is not one of them. Name one by its SHA-256: ' +
    '{"documentId": "sha256:…"} or {"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "…"}}}. ' +
    'The people who run the server can add others to the file of PERSISTED_DOCUMENTS.',
);

const MANIFEST = 'it is not a JSON object of documents by their hashes, {"<SHA-256>": "query …"}';
const OTHER_HASH =
  'is not the SHA-256 of its document, in lower-case hexadecimal; ' +
  'relay-compiler writes that with "algorithm": "SHA256", ' +
  'the client preset of graphql-codegen with hashAlgorithm: "sha256"';

const sha256 = (text: string) => digest('sha256', text);

/** Returns the persisted documents of a server; `undefined` if none are configured. */
export const persistedDocuments = (
  { persisted, only }: Config['documents'],
  validation: Validation,
): PersistedDocuments | undefined =>
  persisted === undefined ? undefined : new PersistedDocuments(persisted, only, validation);

export class PersistedDocuments {
  readonly #file: string;
  readonly #only: boolean;
  readonly #validation: Validation;
  #texts: ReadonlyMap<string, string> = new Map();

  constructor(file: string, only: boolean, validation: Validation) {
    this.#file = file;
    this.#only = only;
    this.#validation = validation;
  }

  /**
   * Reads the documents once the schema exists, and fails the start if any of them cannot be
   * answered.
   */
  readonly plugin: ApolloServerPlugin<RequestContext> = {
    serverWillStart: async () => {
      const texts = textsIn(await readFile(this.#file, 'utf8'));
      const problems = texts?.flatMap(([hash, text]) => problemsOf(hash, text, this.#validation)) ?? [MANIFEST];
      if (problems.length > 0) {
        throw new Error(
          `PERSISTED_DOCUMENTS: ${this.#file} cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
        );
      }
      this.#texts = new Map(texts);
    },
  };

  /**
   * Puts the named document into each request of one part of a server. It must be registered before
   * the hooks that read the document.
   */
  resolveIn(server: FastifyInstance): void {
    server.addHook('preHandler', (request, reply, done) => {
      const refusal = request.method === 'GET' ? this.#resolveSearch(request) : this.#resolveBody(request);
      if (refusal === undefined) done();
      // Apollo answers an unknown hash with 200 as well, since nothing is wrong with the request.
      else reply.code(refusal === NOT_FOUND ? 200 : 400).send(answerOf(refusal));
    });
  }

  #resolveBody(request: FastifyRequest): Error | undefined {
    const { query, documentId, extensions, ...rest } = (request.body ?? {}) as Readonly<Record<string, unknown>>;
    const found = this.#find(query, hashIn(documentId, extensions));
    if (typeof found === 'string') request.body = { ...rest, query: found };
    return found instanceof Error ? found : undefined;
  }

  #resolveSearch(request: FastifyRequest): Error | undefined {
    const search = new URLSearchParams(searchOf(request));
    const found = this.#find(search.get('query'), hashIn(search.get('documentId'), json(search.get('extensions'))));
    if (typeof found === 'string') {
      search.delete('extensions');
      search.set('query', found);
      request.search = `?${search.toString()}`;
    }
    return found instanceof Error ? found : undefined;
  }

  /**
   * Returns the document that a request names, or the error that refuses it; `undefined` if Apollo
   * should answer the unchanged request.
   */
  #find(query: unknown, named: string | undefined): string | Error | undefined {
    if (typeof query !== 'string' || query === '') {
      return named === undefined ? undefined : (this.#texts.get(named) ?? NOT_FOUND);
    }
    if (named === undefined && !this.#only) return undefined;
    const own = sha256(query);
    if (named !== undefined && named !== own) return OTHER_DOCUMENT;
    return this.#only && !this.#texts.has(own) ? NOT_PERSISTED : query;
  }
}

/**
 * Returns the documents of a file with their hashes. The format is that of relay-compiler and
 * graphql-codegen; `undefined` for a file of another format.
 */
function textsIn(file: string): [string, string][] | undefined {
  const { success, data } = z.record(z.string(), z.string()).safeParse(json(file));
  return success ? Object.entries(data) : undefined;
}

/** Returns the reasons why a document can never be answered. */
function problemsOf(hash: string, text: string, validation: Validation): string[] {
  if (hash !== sha256(text)) return [`${JSON.stringify(hash)} ${OTHER_HASH}`];
  try {
    const document = parse(text, { maxLexicalTokens: TOKENS_MAX });
    return validation.errorsOf(document).map(({ message }) => `the document ${hash}: ${message}`);
  } catch (error) {
    return [`the document ${hash}: ${(error as Error).message}`];
  }
}

/** Returns the hash by which a request names its document; `undefined` if it names none. */
function hashIn(documentId: unknown, extensions: unknown): string | undefined {
  if (typeof documentId === 'string') return documentId.replace(/^sha256:/, '');
  const { persistedQuery } = (extensions ?? {}) as { persistedQuery?: { sha256Hash?: unknown } | null };
  const named = persistedQuery?.sha256Hash;
  return typeof named === 'string' ? named : undefined;
}

/** Parses JSON; returns `undefined` for text that is not JSON. */
function json(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return undefined;
  }
}
