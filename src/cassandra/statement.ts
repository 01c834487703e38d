import { types, type Client, type QueryOptions } from 'cassandra-driver';
import { Counter, Gauge } from 'prom-client';
import { z } from 'zod';
import type { AtOnce } from './at-once.ts';
import type { Budget } from './budget.ts';
import { decoderOf, encoderOf } from './coding.ts';
import { convertError } from './errors.ts';

/** A connection to the keyspace, with what a statement needs to know of the settings. */
export interface Cassandra {
  readonly client: Client;
  readonly serialConsistency: types.consistencies;
  /** Waits for a random part of a time, so that those who got in each other's way do not meet again; until `stopping` at most. */
  readonly backOff: (msMax: number, stopping?: AbortSignal) => Promise<void>;
  /** Lets only so many statements of the process be under way at once; others wait. */
  readonly atOnce: AtOnce;
  /** Of what a request was given with a budget. */
  readonly within?: { readonly budget: Budget; readonly shared: Cassandra };
}

/** The connection as one request has it, whose statements count against its budget. */
export const withinBudget = (cassandra: Cassandra, budget: Budget): Cassandra => {
  const shared = sharedOf(cassandra);
  return { ...shared, within: { budget, shared } };
};

/** The connection of the process, without any budget: for what lives longer than a request. */
export const sharedOf = (cassandra: Cassandra): Cassandra => cassandra.within?.shared ?? cassandra;

/** ':user_id AND …' → 'user_id': a marker ends at the first character that cannot be in a CQL name. */
type NameEnd = ' ' | '\n' | ',' | ')' | ';' | ']';
type Head<Text extends string> = Text extends `${infer Name}${NameEnd}${string}` ? Head<Name> : Text;
/** The names of the `:markers` of a CQL text. */
export type Markers<Cql extends string> = Cql extends `${string}:${infer Rest}` ? Head<Rest> | Markers<Rest> : never;

type Params<Cql extends string> = Record<Markers<Cql>, z.ZodType>;

/** One CQL statement with the model of its values and of its rows. */
export interface Statement<Values, Row, RowsPerPage extends number | undefined = undefined> {
  readonly cql: string;
  /** What it does to which table, for logs and metrics: `SELECT books`. */
  readonly label: string;
  readonly params: z.ZodType<Values, Record<string, unknown>>;
  /** Values as {@link params} has them, for the driver. */
  encode(values: Values): Record<string, unknown>;
  readonly row: z.ZodType<Row>;
  /** A row as {@link row} has it. */
  readonly decode: (row: object) => Row;
  readonly serialRead: boolean;
  readonly conditional: boolean;
  /** Of a SELECT that is read page by page, however many rows there are. */
  readonly rowsPerPage: RowsPerPage;
}

/** A SELECT for {@link each} and {@link page}. */
export type PagedStatement<Values, Row> = Statement<Values, Row, number>;

type AnyStatement = Statement<never, unknown, number | undefined>;

const declared = new Map<string, AnyStatement>();

/** Every statement of the modules loaded so far, for the contract test. */
export const allStatements = (): AnyStatement[] => [...declared.values()];

/**
 * Declares a statement. Its `:markers`, the keys of `params` and the table's columns must agree:
 * the types check the first two, a contract test the third.
 * One with a condition is sent once; any other may be sent again by the driver, as all that is written is absolute.
 * @param declaration `serialRead`: reads what conditional writes have decided, one still in progress included;
 *   `rowsPerPage`: it has no LIMIT, and is read page by page
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

/** Declares a statement whose text is put together: that its markers are those of `params`, only the contract test checks. */
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
  if (table === undefined) throw new Error(`Not a statement this helper knows: ${cql}`);
  return `${select ?? verb?.split(/\s/)[0] ?? ''} ${table}`;
}

/** How often each was sent: Prometheus' client looks for the labels of a counter each time, and here are several for every request. */
const executed = new Map<string, number>();
new Counter({
  name: 'cassandra_statements_total',
  help: 'Statements sent to Cassandra, a batch as one, by what they do',
  labelNames: ['statement'],
  collect() {
    this.reset();
    for (const [statement, count] of executed) this.inc({ statement }, count);
  },
});

let [underWay, waiting] = [0, 0];
/** Asked for its value when somebody looks: there are several changes of it for every request. */
const gauge = (name: string, help: string, value: () => number) =>
  new Gauge({
    name,
    help,
    collect() {
      this.set(value());
    },
  });
gauge('cassandra_statements_under_way', 'Statements that Cassandra has not yet answered', () => underWay);
gauge('cassandra_statements_waiting', 'Statements that wait until fewer are under way', () => waiting);

/** @throws {BudgetError} when nothing is sent for this request any more */
function send<Result>({ atOnce, within }: Cassandra, label: string, sending: () => Promise<Result>): Promise<Result> {
  const begin = async () => {
    waiting--;
    within?.budget.check();
    executed.set(label, (executed.get(label) ?? 0) + 1);
    underWay++;
    try {
      return await sending();
    } catch (error) {
      throw convertError(label, error);
    } finally {
      underWay--;
    }
  };
  waiting++;
  return within ? within.budget.inTurn(() => atOnce(begin)) : atOnce(begin);
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

/** The rows of a SELECT, each checked against its model. The statement's LIMIT, or its keys, bound their number. */
export async function rows<Values extends object, Row>(
  cassandra: Cassandra,
  of: Statement<Values, Row>,
  values: Values,
): Promise<Row[]> {
  // Nothing is in an empty list, which the driver would send as a null.
  if (Object.values(values).some((value) => Array.isArray(value) && value.length === 0)) return [];
  return (await execute(cassandra, of, values)).rows.map(of.decode);
}

/** Some of the rows of a SELECT. */
export interface Page<Row> {
  readonly rows: Row[];
  /** From where to go on, also in another process; unset at the end. Rows that go meanwhile do not matter to it. */
  readonly pageState: string | undefined;
}

/**
 * One page of a SELECT.
 * @param pageState of the page before it; '' for the first one
 */
export async function page<Values, Row>(
  cassandra: Cassandra,
  of: PagedStatement<Values, Row>,
  values: Values,
  pageState = '',
): Promise<Page<Row>> {
  const paging = { fetchSize: of.rowsPerPage, ...(pageState !== '' && { pageState }) };
  const result = await execute(cassandra, of, values, paging);
  // Null at the end, whatever the driver's types say.
  return { rows: result.rows.map(of.decode), pageState: result.pageState || undefined };
}

/** Every row of a SELECT, read page by page. */
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

/** The first row of a SELECT, or `undefined`. */
export async function first<Values extends object, Row>(
  cassandra: Cassandra,
  of: Statement<Values, Row>,
  values: Values,
): Promise<Row | undefined> {
  return (await rows(cassandra, of, values))[0];
}

/** Executes a write without a condition. */
export async function write<Values>(cassandra: Cassandra, of: Statement<Values, never>, values: Values): Promise<void> {
  await execute(cassandra, of, values);
}

/** What a conditional write did: `current` is the row that stood in its way, where there is one. */
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
  if (wasApplied === true) return { applied: true };
  return { applied: false, current: Object.keys(current).length > 0 ? of.decode(current) : undefined };
}

/** A write with its values, to go into a batch. */
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
 * Executes writes as one unlogged batch: to one partition, where they are one mutation, or to a few that a transaction
 * repeats until all of them are there.
 */
export async function batch(cassandra: Cassandra, writes: readonly Bound[]): Promise<void> {
  await sendBatch(cassandra, writes, {});
}

/** Executes writes to one partition, some of them conditional, all or none. Tells whether they were applied. */
export async function appliedBatch(cassandra: Cassandra, writes: readonly Bound[]): Promise<boolean> {
  const { serialConsistency } = cassandra;
  return (await sendBatch(cassandra, writes, { serialConsistency })).wasApplied();
}

async function sendBatch(cassandra: Cassandra, writes: readonly Bound[], options: QueryOptions) {
  const label = `BATCH ${[...new Set(writes.map((each) => each.label.split(' ')[1]))].join(' ')}`;
  const isIdempotent = !writes.some(({ conditional }) => conditional);
  return send(cassandra, label, () =>
    cassandra.client.batch(
      writes.map(({ query, params }) => ({ query, params })),
      { ...options, logged: false, prepare: true, isIdempotent },
    ),
  );
}
