import {
  getNamedType,
  getVariableValues,
  Kind,
  type DocumentNode,
  type GraphQLField,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { getComplexity, type ComplexityEstimator } from 'graphql-query-complexity';
import { memoised } from '../context/context.ts';
import { fragmentsOf } from '../graphql/fragments.ts';
import { RequestError } from '../graphql/errors.ts';
import { INPUT_ERRORS_MAX } from '../graphql/inputs.ts';
import { charge, chargeAnswered } from './caller.ts';
import { fieldCosts } from './field-costs.ts';
import type { RequestStep } from './steps.ts';
import { areTooMany, TOO_MANY_VALUES, VariablesRead } from './variables.ts';

/**
 * The cost of a request to its caller. It is estimated before execution, and corrected by the
 * number of rows that were read. The maximum number of rows would be too pessimistic an estimate: a
 * page of likers reads one partition for nearly all likeables, and 64 in parallel only for those
 * that many readers like at once.
 */

/**
 * The maximum depth of an operation: a list within a list within a list, six times. Frontends ask
 * for half of it.
 */
const DEPTH_MAX = 20;
/**
 * The maximum complexity. A field adds 1; a page or list multiplies its fields by the maximum
 * number of its elements.
 */
const COMPLEXITY_MAX = 10_000;
/**
 * The maximum number of selections visited to compute a complexity. The selections of a fragment
 * are visited each time it is spread. A document has at most 400 fields, but nested fragments can
 * multiply them without bound, and the visits block the event loop.
 */
const SELECTIONS_MAX = 2_000;
/** A request costs 1, and 1 more for each this many fields. */
const COMPLEXITY_PER_COST = 1_000;
/** A request costs at least 1 for each this many rows that it has read. */
const ROWS_PER_COST = 1_000;
/** The cost of a mutation in its `@cost`, for the error that names it. */
const COST_OF_CHANGE = 900;
const COST_WITH_PASSWORD = 4_900;
/**
 * The number of rows to charge for a field of introspection, which reads all types of the schema.
 * The query that tools send is just within the limit.
 */
const ROWS_OF_INTROSPECTION = 40;
/** The number of fields of an error, `__typename` included. */
const FIELDS_OF_ERROR = 5;

/** The cost of a field without a directive. */
const ORDINARY = { weight: 1, size: 1, partitions: 1 };

const estimatorOf = memoised(
  (schema: GraphQLSchema): ComplexityEstimator => {
    const costs = fieldCosts(schema);
    return ({ args, childComplexity, field }) => {
      const { weight, size, partitions } = costs.get(field)?.(args) ?? ORDINARY;
      const rows = rowsOfHouse(field, childComplexity) ?? size;
      return weight + rows * childComplexity + rows * (partitions - 1);
    };
  },
  (schema) => schema,
);

/**
 * Returns the number of rows to charge for introspection and for errors. A query that requests each
 * field of an error once is charged for one error. A query with more fields (aliases) is charged
 * for the maximum number of errors of an input.
 */
function rowsOfHouse({ name, type }: GraphQLField<unknown, unknown>, fields: number): number | undefined {
  if (name === '__schema' || name === '__type') return ROWS_OF_INTROSPECTION;
  if (getNamedType(type).name !== 'UserError') return undefined;
  return fields <= FIELDS_OF_ERROR ? 1 : INPUT_ERRORS_MAX;
}

/**
 * The complexity of operations, if it does not depend on the variables. An entry is kept as long as
 * its document.
 */
const known = new WeakMap<OperationDefinitionNode, number>();

/**
 * Returns the maximum number of fields in the answer to a query. It is Infinity if it cannot be
 * counted, as with too many nested fragments. It is 0 if the operation does not exist or the
 * variables do not fit it, because execution then answers with that error.
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
      estimators: [variables.watch(estimatorOf(query.schema))],
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
 * Returns the number of nested levels of fields, including those of fragments. Each list within a
 * list waits for the outer one.
 * @param document a valid document, whose fragments form no cycle
 * @param selectionSet the selection set of the operation
 */
function depthOf(document: DocumentNode, selectionSet: SelectionSetNode): number {
  const fragments = fragmentsOf(document);
  // Each fragment is visited once: nested fragments may be spread exponentially often.
  const depths = new Map<string, number>();

  const depthIn = ({ selections }: SelectionSetNode): number =>
    Math.max(
      ...selections.map((selection) => {
        if (selection.kind === Kind.FIELD) return 1 + (selection.selectionSet ? depthIn(selection.selectionSet) : 0);
        if (selection.kind === Kind.INLINE_FRAGMENT) return depthIn(selection.selectionSet);
        return depthOfFragment(selection.name.value);
      }),
    );
  const depthOfFragment = (name: string): number => {
    const fragment = fragments.get(name);
    const depth = depths.get(name) ?? (fragment ? depthIn(fragment) : 0);
    depths.set(name, depth);
    return depth;
  };
  return depthIn(selectionSet);
}

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
    // The variables of a GET were not checked as part of a body.
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
        `This query may ask for ${fields}; at most ${COMPLEXITY_MAX} are allowed, where a change counts as ` +
          `${COST_OF_CHANGE}, and one that asks for a password as ${COST_WITH_PASSWORD}. ` +
          'Ask for smaller pages, or in several queries.',
        { http: { status: 400 } },
      );
    }
    const cost = Math.ceil(complexity / COMPLEXITY_PER_COST);
    if (context.rateLimit && cost > 1) {
      const rateLimit = charge(context, context.caller, cost - 1);
      context.rateLimit = rateLimit && { ...rateLimit, cost };
    }
  },
  beforeAnswer: ({ contextValue }) => {
    const { budget, rateLimit } = contextValue;
    const cost = Math.ceil((budget?.spent.rows ?? 0) / ROWS_PER_COST);
    if (!rateLimit || cost <= rateLimit.cost) return;
    const left = chargeAnswered(contextValue, contextValue.caller, cost - rateLimit.cost);
    contextValue.rateLimit = left && { ...left, cost };
  },
};
