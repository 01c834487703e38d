import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApolloServer, type ApolloServerOptions } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { parse, type DocumentNode, type GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { AppContext, RequestContext } from '../context/context.ts';
import { nodesOfConnections } from '../graphql/connection-nodes.ts';
import { formatError } from '../graphql/errors.ts';
import { hintsOf } from '../graphql/hints.ts';
import { scalars } from '../graphql/scalars.ts';
import { announceActs } from './acts.ts';
import { readAhead } from './prefetch.ts';
import { budgetPayloads } from './budgets.ts';
import { TOKENS_MAX } from './document-limits.ts';
import type { Execution } from './execution.ts';
import type { PersistedDocuments } from './persisted-documents.ts';
import { logFailure, requestAnswered } from './request-log.ts';
import { resolvers } from './resolvers.ts';
import { answerSteps, type RequestStep } from './steps.ts';
import { onlyVerifiedWrite } from './unverified.ts';

const SCHEMA = join(import.meta.dirname, '../../schema.graphql');

/** The schemas of this process, by whether only readers with a verified email may write. */
const schemas = new Map<boolean, Promise<GraphQLSchema>>();

/** Returns the schema with all of its resolvers, which the servers of a process share. */
export function executableSchema({ config }: AppContext): Promise<GraphQLSchema> {
  const { isRequired } = config.mail.emailVerification;
  const schema = schemas.get(isRequired) ?? makeSchema(isRequired);
  schemas.set(isRequired, schema);
  return schema;
}

async function makeSchema(isVerificationRequired: boolean): Promise<GraphQLSchema> {
  const typeDefs = parse(await readFile(SCHEMA, 'utf8'), { noLocation: true });
  const schema = makeExecutableSchema({
    typeDefs,
    resolvers: [scalars, ...resolvers, nodesOfConnections(typeDefs)],
  });

  readAhead(schema);
  announceActs(schema);
  budgetPayloads(schema);
  if (isVerificationRequired) onlyVerifiedWrite(schema);
  return schema;
}

/**
 * Starts the Apollo server that answers for a schema.
 * @param steps the steps that it takes before each answer
 */
export async function startApollo(
  { config, logger }: AppContext,
  execution: Execution,
  steps: readonly RequestStep[],
  persisted: PersistedDocuments | undefined,
): Promise<ApolloServer<RequestContext>> {
  const introspection = !config.production;
  const hintFor = introspection ? hintsOf(execution.schema) : undefined;
  const apollo = new ApolloServer<RequestContext>({
    gateway: execution.gateway,
    introspection,
    includeStacktraceInErrorResponses: false,
    // A cookie is used only together with its own header, so a forged request has no token.
    csrfPrevention: false,
    persistedQueries: false,
    stopOnTerminationSignals: false,
    parseOptions: { maxLexicalTokens: TOKENS_MAX },
    // The execution validates documents, including those that do not pass through Apollo.
    dangerouslyDisableValidation: true,
    documentStore: documentStore(),
    logger,
    formatError: (formatted, error) =>
      formatError(formatted, error, (cause) => logFailure(requestAnswered(), cause, formatted.path), hintFor),
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      answerSteps(steps),
      ...(persisted ? [persisted.plugin] : []),
    ],
  });
  await apollo.start();
  return apollo;
}

/**
 * The maximum number of characters of all stored documents together: those of about a hundred pages
 * of a frontend. A character takes 34 bytes of memory, at most 116, so the store takes at most 23
 * MB. Apollo's own store would take several times that for a client that always sends new
 * documents.
 */
const LETTERS_MAX = 200_000;

/**
 * Makes a store of documents that were parsed and validated. It keeps the most recently used ones.
 */
function documentStore(): NonNullable<ApolloServerOptions<RequestContext>['documentStore']> {
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: LETTERS_MAX,
    sizeCalculation: ({ loc }) => Math.max(1, loc?.end ?? LETTERS_MAX),
  });
  return {
    get: (hash) => Promise.resolve(documents.get(hash)),
    set: (hash, document) => {
      documents.set(hash, document);
      return Promise.resolve();
    },
    delete: (hash) => Promise.resolve(documents.delete(hash)),
  };
}
