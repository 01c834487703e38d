import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors';
import type { GraphQLFormattedError } from 'graphql';

/** A reason why a mutation did nothing, which stands at the field that its path names. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly path: readonly string[] | null;
}

/** This text replaces messages about the names and types of the API, which readers do not know. */
const UNUSABLE = 'Something in the address or in what was entered cannot be used. Check it, and try again.';
const UNREACHABLE = 'The server cannot be reached. Check the connection, and try again.';

/** Returns what an error says to a person. */
export function messageOf(error: unknown): string {
  if (CombinedGraphQLErrors.is(error)) return [...new Set(error.errors.map(sentenceOf))].join(' ');
  if (ServerError.is(error)) return messageIn(error.bodyText) ?? UNREACHABLE;
  return error instanceof TypeError || !(error instanceof Error) ? UNREACHABLE : error.message;
}

const sentenceOf = ({ message, extensions }: GraphQLFormattedError): string =>
  extensions?.['code'] === 'BAD_USER_INPUT' ? UNUSABLE : message;

/** Returns the message of a GraphQL answer that came with an error's status. */
function messageIn(body: string): string | undefined {
  try {
    const { errors } = JSON.parse(body) as { errors?: { message: string }[] };
    return errors?.[0]?.message;
  } catch {
    return undefined;
  }
}

/** Returns the problems in the answer of an endpoint that takes or gives a file. */
export async function problemsIn(answer: Response): Promise<readonly Problem[]> {
  const { errors = [], userErrors = [] } = (await answer.json()) as {
    errors?: { message: string }[];
    userErrors?: Problem[];
  };
  return [...userErrors, ...errors.map(({ message }) => ({ code: 'ERROR', message, path: null }))];
}

/** Returns an error as a problem of the whole form. */
export const problemOf = (error: unknown): Problem => ({ code: 'ERROR', message: messageOf(error), path: null });
