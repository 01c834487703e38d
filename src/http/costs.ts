import { getVariableValues, type DocumentNode, type OperationDefinitionNode } from 'graphql';
import { getComplexity, type ComplexityEstimator } from 'graphql-query-complexity';
import { CLICKS_PER_CALL } from '../clicks/inputs.ts';
import { CLICK_SHARDS } from '../clicks/recording.ts';
import { memoised } from '../context/context.ts';
import { POINTS_MAX } from '../events/operations.ts';
import { lengthOf, type Granularity } from '../events/windows.ts';
import { pointsAtMost } from '../measurements/operations.ts';
import { PAGE_SIZE } from '../graphql/connections.ts';
import { RequestError } from '../graphql/errors.ts';
import { INPUT_ERRORS_MAX } from '../graphql/inputs.ts';
import { charge, chargeAnswered } from './caller.ts';
import { depthOf } from './depth.ts';
import type { RequestStep } from './steps.ts';
import { VariablesRead } from './variables.ts';

/**
 * What a request costs its caller: reckoned before anything is asked for, and counted again by what it has read. What it may read at most is
 * too much to be reckoned: a page of likers is one partition of hardly any thing, and 64 side by side of what many like at once.
 */

/** As deep as a list within a list within a list, six times; what frontends ask for is half as deep. */
const DEPTH_MAX = 20;
/** A field is 1, a page or a list as much as all that may be in it. */
const COMPLEXITY_MAX = 10_000;
/**
 * Selections that are looked at to reckon a complexity, those of fragments each time that they are spread. A document has
 * 400 fields at most; a fan of fragments comes to any number, and each takes time in which nothing else is answered.
 */
const SELECTIONS_MAX = 2_000;
/** A request costs 1, and 1 more for so many fields each. */
const COMPLEXITY_PER_COST = 1_000;
/** At least it costs 1 for so many rows that it has read. */
const ROWS_PER_COST = 1_000;
/** A change takes some fifteen statements; twelve of them are too many for one request. */
const COMPLEXITY_OF_CHANGE = 900;
/** A hash of a password takes as long as many changes. */
const COMPLEXITY_OF_PASSWORD = 4_900;
/** A click is a row in some of five tables. */
const COMPLEXITY_OF_CLICK = 15;
/** A moment is brought into a time zone as slowly as some ten fields are answered. */
const COMPLEXITY_IN_ZONE = 10;
/** `__typename` included. */
const FIELDS_OF_ERROR = 5;
const WITH_PASSWORD = new Set([
  'register',
  'login',
  'changeEmail',
  'changePassword',
  'resetPassword',
  'startTwoFactor',
  'stopTwoFactor',
  'startPasskey',
  'removePasskey',
  'deleteAccount',
]);

const estimator: ComplexityEstimator = ({ args, childComplexity, field, type }) => {
  if (type.name === 'Mutation') return childComplexity + complexityOfChange(field.name, args);
  const rows = field.name === 'userErrors' ? errorsCounted(childComplexity) : rowsOf(field, args, type);
  const own = field.args.some(({ name }) => name === 'timeZone') ? COMPLEXITY_IN_ZONE : 1;
  return own + rows * childComplexity + rows * (sidesOf(field, args, type) - 1);
};

function complexityOfChange(name: string, args: Readonly<Record<string, unknown>>): number {
  if (WITH_PASSWORD.has(name)) return COMPLEXITY_OF_PASSWORD;
  if (name !== 'recordClicks') return COMPLEXITY_OF_CHANGE;
  const { clicks } = args['input'] as { clicks: readonly unknown[] };
  // More are refused by their number.
  return COMPLEXITY_OF_CHANGE + COMPLEXITY_OF_CLICK * Math.min(clicks.length, CLICKS_PER_CALL);
}

/** Who asks for each field of an error once pays for one error; who asks again and again pays for all that an input may have. */
const errorsCounted = (fields: number) => (fields <= FIELDS_OF_ERROR ? 1 : INPUT_ERRORS_MAX);

/** From how many partitions side by side so many rows are read each, of which only as many are given. */
function sidesOf(
  field: Parameters<ComplexityEstimator>[0]['field'],
  args: Readonly<Record<string, unknown>>,
  type: Parameters<ComplexityEstimator>[0]['type'],
): number {
  if (field.name === 'actions') return Math.max(1, new Set(args['kinds'] as string[] | null | undefined).size);
  return type.name === 'Query' && field.name === 'clicks' ? CLICK_SHARDS : 1;
}

/** How many times a field's own fields may be there. */
function rowsOf(
  field: Parameters<ComplexityEstimator>[0]['field'],
  args: Readonly<Record<string, unknown>>,
  type: Parameters<ComplexityEstimator>[0]['type'],
): number {
  // The nodes of a connection are as many as its page is long.
  if (type.name === 'Query' && field.name === 'nodes') return (args['ids'] as unknown[]).length;
  if (field.name === 'activity' || field.name === 'siteActivity') {
    const { granularity, from, to } = args as { granularity: Granularity; from: Date; to: Date };
    const windows = Math.ceil((to.getTime() - from.getTime()) / lengthOf(granularity)) + 1;
    // A range of more is refused by its name.
    return Math.min(Math.max(windows, 1), POINTS_MAX);
  }
  if (field.name === 'measurements') return pointsAtMost(args as { from: Date; to: Date });
  if (field.args.some(({ name }) => name === 'first'))
    // A page without edges still has a page info.
    return Math.max(1, (args['first'] ?? args['last'] ?? PAGE_SIZE) as number);
  return 1;
}

/** What operations may ask for whatever their variables are, kept as long as their documents. */
const known = new WeakMap<OperationDefinitionNode, number>();

/**
 * How many fields a query may ask for. What cannot be counted, such as too many fragments within fragments, is infinitely many;
 * but 0 where the operation is not there or the variables do not fit it, which is said instead of asking for anything.
 */
export function complexityOf(query: Query, operation: OperationDefinitionNode | undefined): number {
  if (!operation) return 0;
  const kept = known.get(operation);
  // Up to here it makes no difference whether the variables fit.
  if (kept !== undefined) return kept <= COMPLEXITY_PER_COST || fits(query, operation) ? kept : 0;
  try {
    const variables = new VariablesRead(query.query, operation);
    const complexity = getComplexity({
      ...query,
      estimators: [variables.watch(estimator)],
      maxQueryNodes: SELECTIONS_MAX,
    });
    if (!variables.depends) known.set(operation, complexity);
    return complexity;
  } catch {
    return fits(query, operation) ? Infinity : 0;
  }
}

type Query = Omit<Parameters<typeof getComplexity>[0], 'estimators'> & { readonly variables: Record<string, unknown> };

const fits = ({ schema, variables }: Query, { variableDefinitions = [] }: OperationDefinitionNode) =>
  getVariableValues(schema, variableDefinitions, variables).errors === undefined;

/** How deep an operation is, found out once. */
const depthOfOperation = memoised(
  ({ document, operation }: { document: DocumentNode; operation: OperationDefinitionNode }) =>
    depthOf(document, operation.selectionSet),
  ({ operation }) => operation,
);

/** Refuses what asks for too much, and charges what costs more than a small request; what it has read beyond that when it is answered. */
export const costLimit: RequestStep = {
  beforeExecution: ({ request, document, operation, context }, schema) => {
    const query = {
      schema,
      query: document,
      ...(request.operationName && { operationName: request.operationName }),
      variables: request.variables ?? {},
    };
    const depth = operation ? depthOfOperation({ document, operation }) : 0;
    if (depth > DEPTH_MAX) {
      const message = `This query is ${depth} levels deep; at most ${DEPTH_MAX} are allowed. Ask in several queries.`;
      throw new RequestError('BAD_USER_INPUT', message, { http: { status: 400 } });
    }
    const complexity = complexityOf(query, operation);
    if (complexity > COMPLEXITY_MAX) {
      const fields = complexity === Infinity ? 'more fields than can be counted' : `${complexity} fields`;
      throw new RequestError(
        'BAD_USER_INPUT',
        `This query may ask for ${fields}; at most ${COMPLEXITY_MAX} are allowed, where a change counts as ${COMPLEXITY_OF_CHANGE}, and one that asks for a password as ${COMPLEXITY_OF_PASSWORD}. Ask for smaller pages, or in several queries.`,
        { http: { status: 400 } },
      );
    }
    const cost = Math.ceil(complexity / COMPLEXITY_PER_COST);
    if (context.rateLimit && cost > 1) {
      const rateLimit = charge(context, context, cost - 1);
      context.rateLimit = rateLimit && { ...rateLimit, cost };
    }
  },
  beforeAnswer: ({ contextValue }) => {
    const { budget, rateLimit } = contextValue;
    const cost = Math.ceil((budget?.spent.rows ?? 0) / ROWS_PER_COST);
    if (!rateLimit || cost <= rateLimit.cost) return;
    const left = chargeAnswered(contextValue, contextValue, cost - rateLimit.cost);
    contextValue.rateLimit = left && { ...left, cost };
  },
};
