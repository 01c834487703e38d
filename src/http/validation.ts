import {
  NoSchemaIntrospectionCustomRule,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
} from 'graphql';
import { memoised } from '../context/context.ts';
import { takePlaces } from '../graphql/places.ts';
import { refusalOf } from './document-limits.ts';

/** The maximum number of errors looked for in a document, or in its variables. */
export const ERRORS_MAX = 10;

/** Validates documents against a schema, each document once. */
export class Validation {
  /** Returns the errors of a document; none if it can be executed. */
  readonly errorsOf: (document: DocumentNode) => readonly GraphQLError[];

  /** @param introspection true if callers may read the schema */
  constructor(schema: GraphQLSchema, introspection: boolean) {
    const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
    const options = { maxErrors: ERRORS_MAX, hideSuggestions: !introspection };
    this.errorsOf = memoised(
      (document) => {
        takePlaces(document);
        const refusal = refusalOf(document);
        return refusal ? [refusal] : validate(schema, document, rules, options);
      },
      (document) => document,
    );
  }
}
