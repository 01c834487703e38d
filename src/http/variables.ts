import {
  isNonNullType,
  Kind,
  visit,
  type DocumentNode,
  type OperationDefinitionNode,
  type ValueNode,
  type VariableNode,
} from 'graphql';
import type { ComplexityEstimator } from 'graphql-query-complexity';

/**
 * The number of values in bodies and variables, and whether the complexity of an operation depends
 * on the values of its variables.
 */

/**
 * The maximum number of values in the body or the variables of a request, including those within
 * lists and objects. A call of `recordClicks` has up to 7,500.
 */
const VALUES_MAX = 10_000;
/**
 * The maximum number of fields of an object in a variable. Inputs have a tenth of that. The limit
 * is low because each error of GraphQL about an object lists all of its fields.
 */
const OBJECT_FIELDS_MAX = 100;

export const TOO_MANY_VALUES =
  `There are too many values; at most ${VALUES_MAX} are allowed, and ${OBJECT_FIELDS_MAX} in one object. ` +
  'Send them in several requests.';

/** Returns true if the body or the variables of a request have too many values. */
export function areTooMany(given: unknown): boolean {
  const left: unknown[] = [given];
  let found = 0;
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const within: unknown[] = Object.values(value);
    found += within.length;
    const isLongObject = !Array.isArray(value) && within.length > OBJECT_FIELDS_MAX;
    if (isLongObject || found > VALUES_MAX) return true;
    for (const each of within) left.push(each);
  }
  return false;
}

type Estimated = Parameters<ComplexityEstimator>[0];

/** Watches which arguments an estimator reads while it computes the complexity of an operation. */
export class VariablesRead {
  #depends: boolean;
  readonly #nullable: ReadonlySet<string>;

  constructor(document: DocumentNode, operation: OperationDefinitionNode) {
    this.#depends = hasDirectiveOfVariable(document);
    this.#nullable = new Set(
      operation.variableDefinitions
        ?.filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE)
        .map(({ variable }) => variable.name.value),
    );
  }

  /**
   * True if other values could have led to another complexity. Valid once the whole operation is
   * estimated.
   */
  get depends(): boolean {
    return this.#depends;
  }

  /** Wraps an estimator so that it is watched. */
  watch(estimator: ComplexityEstimator): ComplexityEstimator {
    return (estimated) => {
      const read = new Set<string | symbol>();
      const args = new Proxy(estimated.args, {
        get: (all, name): unknown => {
          read.add(name);
          return Reflect.get(all, name);
        },
      });
      const complexity = estimator({ ...estimated, args });
      this.#look(estimated, read);
      return complexity;
    };
  }

  #look({ node, field }: Estimated, read: ReadonlySet<string | symbol>): void {
    for (const { name, value } of node.arguments ?? []) {
      const variables = variablesIn(value);
      if (variables.length === 0) continue;
      // A null for a non-null argument is found only when the field is visited. Nothing can be
      // counted then.
      const type = field.args.find((each) => each.name === name.value)?.type;
      const takesNull = value.kind === Kind.VARIABLE && !isNonNullType(type);
      const mayFail = !takesNull && variables.some((variable) => this.#nullable.has(variable.name.value));
      if (read.has(name.value) || mayFail) this.#depends = true;
    }
  }
}

function variablesIn(value: ValueNode): VariableNode[] {
  const found: VariableNode[] = [];
  visit(value, { Variable: (variable) => void found.push(variable) });
  return found;
}

/**
 * True if any directive uses a variable, as `@include(if: $isShown)` does. Directives of the
 * document's other operations are included.
 */
function hasDirectiveOfVariable(document: DocumentNode): boolean {
  let has = false;
  visit(document, {
    Directive: ({ arguments: given }) => {
      if (given?.some(({ value }) => variablesIn(value).length > 0)) has = true;
    },
  });
  return has;
}
