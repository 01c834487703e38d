import { Kind, type DocumentNode, type GraphQLObjectType, type GraphQLSchema, type SelectionSetNode } from 'graphql';
import { fragmentsOf } from '../graphql/fragments.ts';

/** The names of series. The list is closed, so that no caller can make a new one. */

/** The interval at which a server writes its figures. */
export const PERIOD_MS = 10_000;

/** Series of a server as a whole. */
export const SERVER_SERIES = ['requests', 'errors', 'event-loop-delay-p99', 'log-age', 'dead-letters'] as const;
export type ServerSeries = (typeof SERVER_SERIES)[number];

/** Series of an operation, a root field of the schema. */
export const OPERATION_FIGURES = ['requests', 'p50', 'p99'] as const;
export type OperationFigure = (typeof OPERATION_FIGURES)[number];

/** The name of a series of an operation, such as `p99 Query.book`. */
export const seriesOf = (figure: OperationFigure, operation: string): string => `${figure} ${operation}`;

/** All operations of the schema, such as `Query.book`. */
export const operationsOf = (schema: GraphQLSchema): string[] =>
  [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap((type) =>
    type ? Object.keys(type.getFields()).map((field) => `${type.name}.${field}`) : [],
  );

/** True if servers write a series of this name. */
export function isSeries(schema: GraphQLSchema, name: string): boolean {
  const [figure = '', operation] = name.split(/ (.*)/s, 2);
  if (operation === undefined) return SERVER_SERIES.some((series) => series === figure);
  return OPERATION_FIGURES.some((each) => each === figure) && operationsOf(schema).includes(operation);
}

/**
 * The operations of a request, each once, regardless of aliases and fragments.
 * @param document any document, even an invalid one: a field that the schema lacks is ignored
 * @param selectionSet the selection set of the operation
 * @param type the type `Query`, `Mutation` or `Subscription`
 */
export function operationsIn(
  document: DocumentNode,
  selectionSet: SelectionSetNode,
  type: GraphQLObjectType,
): Set<string> {
  const found = new Set<string>();
  const fields = type.getFields();
  // Each fragment is visited once, because the number of spreads grows exponentially with their
  // depth.
  const fragments = fragmentsOf(document);
  const look = ({ selections }: SelectionSetNode) => {
    for (const selection of selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) look(selection.selectionSet);
      else if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(selection.name.value);
        fragments.delete(selection.name.value);
        if (fragment) look(fragment);
      } else if (fields[selection.name.value]) found.add(`${type.name}.${selection.name.value}`);
    }
  };
  look(selectionSet);
  return found;
}
