import { types, type Client, type QueryOptions } from 'cassandra-driver';
import { z } from 'zod';
import { beginStatement, endWith } from '../tracing/spans.ts';
import type { ConcurrencyLimit } from './concurrency-limit.ts';
import type { Budget } from './budget.ts';
import { decoderOf, encoderOf } from './compiled-models.ts';
import { countConditional, countWaiting, measured } from './statement-metrics.ts';

/** A connection to the keyspace, with the settings that statements need. */
export interface Cassandra {
  readonly client: Client;
  readonly serialConsistency: types.consistencies;
  /**
   * Waits for a random part of a time, so that conflicting callers do not conflict again. It ends
   * early when `stopping` is aborted.
   */
  readonly backOff: (msMax: number, stopping?: AbortSignal) => Promise<void>;
  /** Limits the concurrent statements of the process. Others wait. */
  readonly atOnce: ConcurrencyLimit;
  /** Set for a request with a budget. `shared` is the connection of the process. */
  readonly within?: { readonly budget: Budget; readonly shared: Cassandra };
}

/** Returns the connection of a request, whose statements count against its budget. */
export const withinBudget = (cassandra: Cassandra, budget: Budget): Cassandra => {
  const shared = sharedOf(cassandra);
  return { ...shared, within: { budget, shared } };
};

/** Returns the connection of the process, without a budget, for objects that outlive a request. */
export const sharedOf = (cassandra: Cassandra): Cassandra => cassandra.within?.shared ?? cassandra;

/**
 * ':user_id AND …' → 'user_id': a marker ends at the first character that cannot be in a CQL name.
 */
type NameEnd = ' ' | '\n' | ',' | ')' | ';' | ']';
type Head<Text extends string> = Text extends `${infer Name}${NameEnd}${string}` ? Head<Name> : Text;
/** The names of the `:markers` of a CQL text. */
export type Markers<Cql extends string> = Cql extends `${string}:${infer Rest}` ? Head<Rest> | Markers<Rest> : never;

type Params<Cql extends string> = Record<Markers<Cql>, z.ZodType>;

/** A CQL statement with the models of its values and of its rows. */
export interface Statement<Values, Row, RowsPerPage extends number | undefined = undefined> {
  readonly cql: string;
  /** The verb and the table, for logs and metrics: `SELECT books`. */
  readonly label: string;
  readonly params: z.ZodType<Values, Record<string, unknown>>;
  /** Encodes values by {@link params} for the driver. */
  encode(values: Values): Record<string, unknown>;
  readonly row: z.ZodType<Row>;
  /** Decodes a row by {@link row}. */
  readonly decode: (row: object) => Row;
  readonly serialRead: boolean;
  readonly conditional: boolean;
  /** Set for a SELECT that is read page by page, which can have any number of rows. */
  readonly rowsPerPage: RowsPerPage;
}

/** A SELECT for {@link each} and {@link page}. */
export type PagedStatement<Values, Row> = Statement<Values, Row, number>;

type AnyStatement = Statement<never, unknown, number | undefined>;

const declared = new Map<string, AnyStatement>();

/** Returns every statement of the modules loaded so far, for the contract test. */
export const allStatements = (): AnyStatement[] => [...declared.values()];

/**
 * Declares a statement. Its `:markers`, the keys of `params` and the table's columns must agree:
 * types check the first two, a contract test the third. The driver never repeats a conditional
 * statement. It may repeat any other statement, because all writes are absolute.
 * @param declaration `serialRead`: reads the results of conditional writes, including one in
 *   progress; `rowsPerPage`: the statement has no LIMIT and is read page by page
 */
export function statement<
  const Cql extends string,
  P extends Params<Cql>,
  R extends z.ZodType = z.ZodNever,
  const RowsPerPage extends number | undefined = undefined,
>(declaration: {
  cql: Cql;
  params: P & Record<Exclude<keyof P, Markers<Cql>>, never>;
  row?: R;
  serialRead?: true;
  rowsPerPage?: RowsPerPage;
}): Statement<z.output<z.ZodObject<P>>, z.output<R>, RowsPerPage> {
  return declareStatement({
    ...declaration,
    params: z.strictObject(declaration.params) as unknown as z.ZodType<z.output<z.ZodObject<P>>>,
    row: (declaration.row ?? z.never()) as z.ZodType<z.output<R>>,
  });
}

/**
 * Declares a statement with a composed text. Only the contract test checks that its markers are
 * those of `params`.
 */
export function declareStatement<Values, Row, RowsPerPage extends number | undefined = undefined>(declaration: {
  cql: string;
  params: z.ZodType<Values>;
  row: z.ZodType<Row>;
  serialRead?: true;
  rowsPerPage?: RowsPerPage;
}): Statement<Values, Row, RowsPerPage> {
  const { cql, row, serialRead = false } = declaration;
  const params = declaration.params as Statement<Values, Row>['params'];
  const rowsPerPage = declaration.rowsPerPage as RowsPerPage;
  const conditional = cql.includes(' IF ');
  const coding = { encode: encoderOf(params), decode: decoderOf(row) };
  const made = { cql, label: labelOf(cql), params, row, ...coding, serialRead, conditional, rowsPerPage };
  declared.set(cql, made as unknown as AnyStatement);
  return made;
}

function labelOf(cql: string): string {
  const [, select, verb, table] =
    /^\s*(?:(SELECT)[\s\S]*?FROM|(INSERT INTO|UPDATE|DELETE[\s\S]*?FROM))\s+(\w+)/.exec(cql) ?? [];
  if (table === undefined) throw new Error(`This helper does not support the statement: ${cql}`);
  return `${select ?? verb?.split(/\s/)[0] ?? ''} ${table}`;
}

/** @throws {BudgetError} when the request's budget is spent */
function send<Result>({ atOnce, within }: Cassandra, label: string, sending: () => Promise<Result>): Promise<Result> {
  const span = beginStatement(label);
  const begin = () => {
    span?.addEvent('sent');
    return measured(label, () => within?.budget.check(), sending);
  };
  countWaiting();
  const sent = within ? within.budget.inTurn(() => atOnce(begin)) : atOnce(begin);
  return span ? endWith(span, sent) : sent;
}

async function execute<Values, Row>(
  cassandra: Cassandra,
  of: Statement<Values, Row, number | undefined>,
  values: Values,
  paging: Pick<QueryOptions, 'fetchSize' | 'pageState'> = {},
) {
  const options: QueryOptions = { prepare: true, isIdempotent: !of.conditional, ...paging };
  if (of.serialRead) options.consistency = cassandra.serialConsistency;
  if (of.conditional) options.serialConsistency = cassandra.serialConsistency;
  const params = of.encode(values);
  const result = await send(cassandra, of.label, () => cassandra.client.execute(of.cql, params, options));
  if (result.rowLength > 0) cassandra.within?.budget.count(result.rows);
  return result;
}

/**
 * Returns the rows of a SELECT, each checked against its model. The statement bounds their number
 * by its LIMIT or its keys.
 */
export async function rows<Values extends object, Row>(
  cassandra: Cassandra,
  of: Statement<Values, Row>,
  values: Values,
): Promise<Row[]> {
  // An empty IN list matches nothing, and the driver would send it as a null.
  if (Object.values(values).some((value) => Array.isArray(value) && value.length === 0)) return [];
  return (await execute(cassandra, of, values)).rows.map(of.decode);
}

/** Some of the rows of a SELECT. */
export interface Page<Row> {
  readonly rows: Row[];
  /**
   * The place where the next page begins; unset at the end. Another process can use it as well,
   * even if rows were deleted in the meantime.
   */
  readonly pageState: string | undefined;
}

/**
 * Reads one page of a SELECT.
 * @param pageState the state of the previous page; '' for the first page
 */
export async function page<Values, Row>(
  cassandra: Cassandra,
  of: PagedStatement<Values, Row>,
  values: Values,
  pageState = '',
): Promise<Page<Row>> {
  const paging = { fetchSize: of.rowsPerPage, ...(pageState !== '' && { pageState }) };
  const result = await execute(cassandra, of, values, paging);
  // The driver returns null at the end, although its types say otherwise.
  return { rows: result.rows.map(of.decode), pageState: result.pageState || undefined };
}

/** Reads all rows of a SELECT, page by page. */
export async function* each<Values, Row>(
  cassandra: Cassandra,
  of: PagedStatement<Values, Row>,
  values: Values,
): AsyncGenerator<Row> {
  let pageState: string | undefined;
  do {
    const read = await page(cassandra, of, values, pageState);
    yield* read.rows;
    ({ pageState } = read);
  } while (pageState !== undefined);
}

/** Returns the first row of a SELECT, or `undefined`. */
export async function first<Values extends object, Row>(
  cassandra: Cassandra,
  of: Statement<Values, Row>,
  values: Values,
): Promise<Row | undefined> {
  return (await rows(cassandra, of, values))[0];
}

/** Executes an unconditional write. */
export async function write<Values>(cassandra: Cassandra, of: Statement<Values, never>, values: Values): Promise<void> {
  await execute(cassandra, of, values);
}

/** The result of a conditional write. `current` is the row that prevented it, if there is one. */
export type Applied<Row> = { applied: true } | { applied: false; current: Row | undefined };

/** Executes a conditional write (`IF …`). */
export async function applied<Values, Row>(
  cassandra: Cassandra,
  of: Statement<Values, Row>,
  values: Values,
): Promise<Applied<Row>> {
  const { '[applied]': wasApplied, ...current } = { ...(await execute(cassandra, of, values)).first() } as Record<
    string,
    unknown
  >;
  countConditional(of.label, wasApplied === true);
  if (wasApplied === true) return { applied: true };
  return { applied: false, current: Object.keys(current).length > 0 ? of.decode(current) : undefined };
}

/** A write with its values, for a batch. */
export interface Bound {
  readonly query: string;
  readonly params: Record<string, unknown>;
  readonly label: string;
  readonly conditional: boolean;
}

/** Binds a write to its values. */
export function bind<Values, Row>(of: Statement<Values, Row>, values: Values): Bound {
  return { query: of.cql, params: of.encode(values), label: of.label, conditional: of.conditional };
}

/**
 * Executes writes as one unlogged batch. Writes to one partition are one mutation. For writes to
 * several partitions, the caller's transaction repeats the batch until all of them are applied.
 */
export async function batch(cassandra: Cassandra, writes: readonly Bound[]): Promise<void> {
  await sendBatch(cassandra, writes, {});
}

/**
 * Executes writes to one partition, some of them conditional, all or none. Returns whether they
 * were applied.
 */
export async function appliedBatch(cassandra: Cassandra, writes: readonly Bound[]): Promise<boolean> {
  const { serialConsistency } = cassandra;
  const isApplied = (await sendBatch(cassandra, writes, { serialConsistency })).wasApplied();
  countConditional(labelOfBatch(writes), isApplied);
  return isApplied;
}

const labelOfBatch = (writes: readonly Bound[]): string =>
  `BATCH ${[...new Set(writes.map((each) => each.label.split(' ')[1]))].join(' ')}`;

async function sendBatch(cassandra: Cassandra, writes: readonly Bound[], options: QueryOptions) {
  const label = labelOfBatch(writes);
  const isIdempotent = !writes.some(({ conditional }) => conditional);
  return send(cassandra, label, () =>
    cassandra.client.batch(
      writes.map(({ query, params }) => ({ query, params })),
      { ...options, logged: false, prepare: true, isIdempotent },
    ),
  );
}
