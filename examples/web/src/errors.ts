import { CombinedGraphQLErrors, ServerError, ServerParseError } from '@apollo/client/errors';
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
const LOGGED_OUT = 'You are not logged in. Log in, and try again.';

const NOTHING = 'There is nothing at this address. Check that it is complete.';
const NO_PLACE = 'No place is called that. Choose one from the lists.';
/** The sentences about an argument that the API cannot use, by the field that a page asks for. */
const UNUSABLE_ARGUMENTS: Readonly<Record<string, string>> = {
  node: NOTHING,
  user: NOTHING,
  books: 'A search needs letters or digits, and has at most 200 characters.',
  libraries: NO_PLACE,
  states: NO_PLACE,
  cities: NO_PLACE,
};
/** The sentences about a value that the API cannot read, by the type that it names. */
const UNREADABLE_VALUES: Readonly<Record<string, string>> = {
  Int: 'Enter a whole number.',
  Date: 'Enter a day of the calendar, such as 2026-03-01.',
};
const UNREADABLE = /^Variable "\$(\w+)" has an invalid value(?: at "([^"]+)")?\. (?:A )?(\w+)/;

/** Returns what an error says to a person. */
export const messageOf = (error: unknown): string =>
  [...new Set(problemsOf(error).map(({ message }) => message))].join(' ');

/** Returns an error as problems of a form. A value that the API cannot read is a problem of its field. */
export function problemsOf(error: unknown): readonly Problem[] {
  if (CombinedGraphQLErrors.is(error)) return error.errors.map(problemIn);
  if (ServerError.is(error)) return [answered(error.bodyText) ?? problem(UNREACHABLE)];
  const isOwn = error instanceof Error && !(error instanceof TypeError) && !ServerParseError.is(error);
  return [problem(isOwn ? error.message : UNREACHABLE)];
}

function problemIn({ message, path, extensions }: GraphQLFormattedError): Problem {
  if (extensions?.['code'] === 'UNAUTHENTICATED') return problem(LOGGED_OUT);
  if (extensions?.['code'] !== 'BAD_USER_INPUT') return problem(message);
  const [, variable = '', within = variable, type = ''] = UNREADABLE.exec(message) ?? [];
  const enter = UNREADABLE_VALUES[type];
  const found =
    enter === undefined
      ? problem(UNUSABLE_ARGUMENTS[String(path?.[0])] ?? UNUSABLE)
      : problem(enter, within.split('.'));
  return { ...found, code: 'BAD_USER_INPUT' };
}

const problem = (message: string, path: readonly string[] | null = null): Problem => ({ code: 'ERROR', message, path });

/** Returns whether the same request may be answered another time. */
export const mayPass = (error: unknown): boolean => problemsOf(error).some(({ code }) => code !== 'BAD_USER_INPUT');

/** Returns the problem in a GraphQL answer that came with an error's status. */
function answered(body: string): Problem | undefined {
  try {
    const { errors } = JSON.parse(body) as { errors?: GraphQLFormattedError[] };
    return errors?.map(problemIn)[0];
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
  return [...userErrors, ...errors.map(({ message }) => problem(message))];
}
