import { getNamedType, getVariableValues, type DocumentNode, type OperationDefinitionNode } from 'graphql';
import { getComplexity, type ComplexityEstimator } from 'graphql-query-complexity';
import { CANDIDATES_MAX } from '../catalogue/matching.ts';
import { CLICKS_PER_CALL } from '../clicks/inputs.ts';
import { CLICK_SHARDS } from '../clicks/recording.ts';
import { memoised } from '../context/context.ts';
import { CELLS_MAX } from '../libraries/cells.ts';
import { POINTS_MAX } from '../events/operations.ts';
import { lengthOf, type Granularity } from '../events/windows.ts';
import { currencies } from '../market/iso-4217.ts';
import { pointsAtMost } from '../measurements/operations.ts';
import { PAGE_SIZE } from '../graphql/connections.ts';
import { RequestError } from '../graphql/errors.ts';
import { INPUT_ERRORS_MAX } from '../graphql/inputs.ts';
import type { ReadingStatus } from '../graphql/generated/schema-types.ts';
import { shelvesOf } from '../reading/shelves.ts';
import { rooms } from '../rooms.ts';
import { charge, chargeAnswered } from './caller.ts';
import { depthOf } from './depth.ts';
import type { RequestStep } from './steps.ts';
import { areTooMany, TOO_MANY_VALUES, VariablesRead } from './variables.ts';

/**
 * The cost of a request to its caller. It is estimated before execution, and corrected by the
 * number of rows that were read. The maximum number of rows is too pessimistic an estimate: a page
 * of likers reads one partition for nearly all likeables, and 64 side by side for those that many
 * readers like at once.
 */

/**
 * The maximum depth of an operation: a list within a list within a list, six times. Frontends ask
 * for half of it.
 */
const DEPTH_MAX = 20;
/**
 * The maximum complexity. A field counts 1; a page or list counts as much as it may contain at
 * most.
 */
const COMPLEXITY_MAX = 10_000;
/**
 * The maximum number of selections visited to compute a complexity; those of a fragment count each
 * time it is spread. A document has at most 400 fields, but nested fragments can multiply them
 * without bound, and the visits block the event loop.
 */
const SELECTIONS_MAX = 2_000;
/** A request costs 1, and 1 more for each this many fields. */
const COMPLEXITY_PER_COST = 1_000;
/** A request costs at least 1 for each this many rows that it has read. */
const ROWS_PER_COST = 1_000;
/**
 * The complexity of a mutation. A mutation takes some fifteen statements; twelve mutations are too
 * many for one request.
 */
const COMPLEXITY_OF_CHANGE = 900;
/**
 * The complexity of a mutation that hashes a password, which takes as long as many other changes.
 */
const COMPLEXITY_OF_PASSWORD = 4_900;
/** The complexity of a click, which is a row in about five tables. */
const COMPLEXITY_OF_CLICK = 15;
/**
 * The complexity of a field with a time zone: converting a moment takes as long as answering some
 * ten fields.
 */
const COMPLEXITY_IN_ZONE = 10;
/**
 * The complexity of counting a list, or of comparing its genre with all others, for each row of the
 * page that it stands beside. Counting reads up to a thousand rows.
 */
const COMPLEXITY_OF_COUNT = 10;
/**
 * The number of readings to charge for. Few readers read a book more often, and a page of books
 * with their readings is not to be refused.
 */
const READINGS_COUNTED = 10;
/** The number of shelves to charge for. Few readers have more of their own elsewhere. */
const SHELVES_COUNTED = 20;
/**
 * The number of rows to charge for a field of introspection, which reads all types of the schema.
 * The query that tools send is within the limit, and little more than that is.
 */
const ROWS_OF_INTROSPECTION = 40;
/** The number of fields of an error, `__typename` included. */
const FIELDS_OF_ERROR = 5;
/** The mutations that hash a password. */
const withPassword = new Set<string>(rooms.flatMap((room) => room.withPassword ?? []));

const estimator: ComplexityEstimator = ({ args, childComplexity, field, type }) => {
  if (type.name === 'Mutation') return childComplexity + complexityOfChange(field.name, args);
  const rows = field.name === 'userErrors' ? errorsCounted(childComplexity) : rowsOf(field, args, type);
  return ownComplexityOf(field) + rows * childComplexity + rows * (sidesOf(field, args, type) - 1);
};

/** Returns the complexity of a field without the fields below it. */
function ownComplexityOf(field: Parameters<ComplexityEstimator>[0]['field']): number {
  if (field.args.some(({ name }) => name === 'timeZone')) return COMPLEXITY_IN_ZONE;
  const readsRows = getNamedType(field.type).name === 'RowCount' || field.name === 'similarGenres';
  return readsRows ? COMPLEXITY_OF_COUNT : 1;
}

function complexityOfChange(name: string, args: Readonly<Record<string, unknown>>): number {
  if (withPassword.has(name)) return COMPLEXITY_OF_PASSWORD;
  if (name !== 'recordClicks') return COMPLEXITY_OF_CHANGE;
  const { clicks } = args['input'] as { clicks: readonly unknown[] };
  // A call with more clicks is refused, so the rest costs nothing.
  return COMPLEXITY_OF_CHANGE + COMPLEXITY_OF_CLICK * Math.min(clicks.length, CLICKS_PER_CALL);
}

/**
 * Returns the number of errors to charge for. A query that asks for each field of an error once is
 * charged for one error; a query with more fields (aliases) is charged for all the errors that an
 * input can have.
 */
const errorsCounted = (fields: number) => (fields <= FIELDS_OF_ERROR ? 1 : INPUT_ERRORS_MAX);

/**
 * Returns the number of partitions that a field reads side by side, a whole page from each,
 * although the answer has only one page.
 */
function sidesOf(
  field: Parameters<ComplexityEstimator>[0]['field'],
  args: Readonly<Record<string, unknown>>,
  type: Parameters<ComplexityEstimator>[0]['type'],
): number {
  if (field.name === 'actions') return Math.max(1, new Set(args['kinds'] as string[] | null | undefined).size);
  if (field.name === 'libraries') return args['near'] ? CELLS_MAX : 1;
  if (field.name === 'shelf') return shelvesOf(args['status'] as ReadingStatus | null | undefined).length;
  return type.name === 'Query' && field.name === 'clicks' ? CLICK_SHARDS : 1;
}

/** Returns the maximum number of times that the fields below a field are resolved. */
function rowsOf(
  field: Parameters<ComplexityEstimator>[0]['field'],
  args: Readonly<Record<string, unknown>>,
  type: Parameters<ComplexityEstimator>[0]['type'],
): number {
  // A connection has as many nodes as its page is long.
  if (type.name === 'Query' && field.name === 'nodes') return (args['ids'] as unknown[]).length;
  if (field.name === 'activity' || field.name === 'siteActivity') {
    const { granularity, from, to } = args as { granularity: Granularity; from: Date; to: Date };
    const windows = Math.ceil((to.getTime() - from.getTime()) / lengthOf(granularity)) + 1;
    // A longer range is refused with an error of its own.
    return Math.min(Math.max(windows, 1), POINTS_MAX);
  }
  if (field.name === '__schema' || field.name === '__type') return ROWS_OF_INTROSPECTION;
  if (field.name === 'currencies') return currencies.length;
  if (field.name === 'readings') return READINGS_COUNTED;
  if (field.name === 'candidates') return CANDIDATES_MAX;
  if (field.name === 'shelves') return SHELVES_COUNTED;
  if (field.name === 'measurements') return pointsAtMost(args as { from: Date; to: Date });
  if (field.args.some(({ name }) => name === 'first'))
    // A page without edges still has a page info.
    return Math.max(1, (args['first'] ?? args['last'] ?? PAGE_SIZE) as number);
  return 1;
}

/**
 * The complexity of operations for which it does not depend on the variables. An entry is kept as
 * long as its document.
 */
const known = new WeakMap<OperationDefinitionNode, number>();

/**
 * Returns the number of fields that a query may ask for. It is Infinity if it cannot be counted, as
 * with too many nested fragments. It is 0 if the operation does not exist or the variables do not
 * fit it: then execution answers that error instead.
 */
export function complexityOf(query: Query, operation: OperationDefinitionNode | undefined): number {
  if (!operation) return 0;
  const kept = known.get(operation);
  // A complexity up to this limit costs the same as 0, so the variables need no check.
  if (kept !== undefined && kept <= COMPLEXITY_PER_COST) return kept;
  if (!fits(query, operation)) return 0;
  if (kept !== undefined) return kept;
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
    return Infinity;
  }
}

type Query = Omit<Parameters<typeof getComplexity>[0], 'estimators'> & { readonly variables: Record<string, unknown> };

/** True if the variables fit an operation. It stops at the first one that does not. */
const fits = ({ schema, variables }: Query, { variableDefinitions = [] }: OperationDefinitionNode) =>
  getVariableValues(schema, variableDefinitions, variables, { maxErrors: 0 }).errors === undefined;

/** Returns the depth of an operation, computed once per operation. */
const depthOfOperation = memoised(
  ({ document, operation }: { document: DocumentNode; operation: OperationDefinitionNode }) =>
    depthOf(document, operation.selectionSet),
  ({ operation }) => operation,
);

/**
 * The step that refuses a request over the limits, and charges one that costs more than a small
 * request. The cost of rows read beyond the estimate is charged when the request is answered.
 */
export const costLimit: RequestStep = {
  beforeExecution: ({ request, document, operation, context }, schema) => {
    const query = {
      schema,
      query: document,
      ...(request.operationName && { operationName: request.operationName }),
      variables: request.variables ?? {},
    };
    // Those of a GET were no body.
    if (areTooMany(query.variables))
      throw new RequestError('BAD_USER_INPUT', TOO_MANY_VALUES, { http: { status: 400 } });
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
