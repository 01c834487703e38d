import { types, type Client, type QueryOptions } from 'cassandra-driver';

/** The statements of a request in Cassandra's own traces. */

const READ = /^Read (\d+) live rows and (\d+) tombstone cells/;
const SERIAL = new Set<number | undefined>([types.consistencies.serial, types.consistencies.localSerial]);

/** A statement as it was executed. */
export interface TracedStatement {
  /** The label, as in `SELECT books`, or `BATCH` and the tables. */
  readonly label: string;
  readonly cql: string;
  /** The number of partitions that were read, and of rows and tombstones in them. */
  readonly partitionsRead: number;
  readonly rowsRead: number;
  readonly tombstonesRead: number;
  /** The number of partitions that were written, without those of Paxos itself. */
  readonly partitionsWritten: number;
  /** True if the statement read other partitions than those that it names. */
  readonly isScan: boolean;
}

interface SentStatement {
  readonly cql: string;
  /** True if the statement uses Paxos, for a condition or for a serial read. */
  readonly isPaxos: boolean;
  readonly result: Promise<types.ResultSet>;
}

type Execution = (query: string | object[], ...rest: unknown[]) => Promise<types.ResultSet>;

/**
 * Makes a client trace its statements.
 * @param only the statements to trace
 * @returns a function that does some work, and lists its statements in the order in which they
 * began
 */
export function traced(client: Client, only = /./): (work: () => Promise<unknown>) => Promise<TracedStatement[]> {
  let statements: SentStatement[] | undefined;
  const wrap = (execute: Execution): Execution => {
    return (query, ...rest) => {
      const cql =
        typeof query === 'string' ? query : query.map((each) => (each as { query: string }).query).join(';\n');
      if (!statements || !only.test(cql)) return execute(query, ...rest);
      const options = { ...(rest.at(-1) as object), traceQuery: true };
      const result = execute(query, ...rest.slice(0, -1), options);
      const isPaxos = cql.includes(' IF ') || SERIAL.has((options as QueryOptions).consistency);
      statements.push({ cql, isPaxos, result });
      return result;
    };
  };
  Object.assign(client, {
    execute: wrap(client.execute.bind(client) as unknown as Execution),
    batch: wrap(client.batch.bind(client) as unknown as Execution),
  });
  return async (work) => {
    const begun = (statements = []);
    await work();
    statements = undefined;
    const all: TracedStatement[] = [];
    for (const { cql, isPaxos, result } of begun as SentStatement[])
      all.push(await traceOf(client, cql, isPaxos, (await result).info.traceId));
    return all;
  };
}

function labelOf(cql: string): string {
  const labels = cql.split(';\n').map((each) => {
    const [, verb = '', table = ''] =
      /^(SELECT)[\s\S]*? FROM (\w+)/.exec(each) ??
      /^(INSERT) INTO (\w+)/.exec(each) ??
      /^(UPDATE) (\w+)/.exec(each) ??
      /^(DELETE)[\s\S]*?FROM (\w+)/.exec(each) ??
      [];
    return { verb, table };
  });
  const [only] = labels;
  if (labels.length === 1 && only) return `${only.verb} ${only.table}`;
  return `BATCH ${[...new Set(labels.map(({ table }) => table))].join(' ')}`;
}

async function traceOf(client: Client, cql: string, isPaxos: boolean, traceId: types.Uuid): Promise<TracedStatement> {
  const { events } = (await client.metadata.getTrace(traceId)) as unknown as {
    events: { activity: string; thread: string }[];
  };
  const activities = events.map(({ activity }) => activity);
  const count = (pattern: RegExp) => activities.filter((activity) => pattern.test(activity)).length;
  // Paxos also reads its own table, when its cache lacks a partition. After a TRUNCATE of any
  // table, it also reads when that table was truncated.
  const begun = events.flatMap(({ activity }, index) =>
    /^Executing single-partition query on (?!paxos|local$)/.test(activity) ? index : [],
  );
  // Paxos reads its partition again if another ballot intervened. The last read counts.
  const partitions = isPaxos ? begun.slice(-1) : begun;
  const reads = partitions.map((index) => {
    const { thread } = events[index]!;
    const end = events.slice(index + 1).find((event) => event.thread === thread && READ.test(event.activity));
    const [, rows, tombstones] = READ.exec(end?.activity ?? '') ?? [];
    return { rows: Number(rows ?? 0), tombstones: Number(tombstones ?? 0) };
  });
  return {
    label: labelOf(cql),
    cql,
    partitionsRead: partitions.length,
    rowsRead: reads.reduce((sum, { rows }) => sum + rows, 0),
    tombstonesRead: reads.reduce((sum, { tombstones }) => sum + tombstones, 0),
    partitionsWritten: count(/^Adding to (?!paxos)\w+ memtable/),
    isScan: count(/seq scan|range scan|Computing ranges|StorageAttachedIndex|secondary index/i) > 0,
  };
}

/**
 * Makes a line of the table of costs. The line has equal statements once, and leaves out the word
 * SELECT.
 */
export function costsOf(name: string, statements: readonly TracedStatement[]): string {
  const sum = (what: 'partitionsRead' | 'rowsRead' | 'partitionsWritten') =>
    statements.reduce((total, statement) => total + statement[what], 0);
  const byLabel = Map.groupBy(statements, ({ label }) => label.replace('SELECT ', ''));
  const which = [...byLabel]
    .toSorted(([one], [two]) => (one < two ? -1 : 1))
    .map(([label, { length }]) => (length > 1 ? `${length} × ${label}` : label));
  const figures = [statements.length, sum('partitionsRead'), sum('rowsRead'), sum('partitionsWritten')];
  return `| ${name} | ${figures.join(' | ')} | ${which.join(', ')} |`;
}
