import { types, type Client, type QueryOptions } from 'cassandra-driver';

/** What Cassandra's own traces say of a request's statements. */

const SERIAL = new Set<number | undefined>([types.consistencies.serial, types.consistencies.localSerial]);

/** One statement as it was executed. */
export interface TracedStatement {
  /** As `SELECT books`, or `BATCH` and the tables. */
  readonly label: string;
  readonly cql: string;
  /** How many partitions were read, and how many rows and tombstones in them. */
  readonly partitionsRead: number;
  readonly rowsRead: number;
  readonly tombstonesRead: number;
  /** The partitions that were written, those of Paxos itself not counted. */
  readonly partitionsWritten: number;
  /** Whether it looked through anything but partitions that it named. */
  readonly isScan: boolean;
}

interface SentStatement {
  readonly cql: string;
  /** Whether Paxos is asked, for a condition or for what conditions have decided. */
  readonly isPaxos: boolean;
  readonly result: Promise<types.ResultSet>;
}

type Execution = (query: string | object[], ...rest: unknown[]) => Promise<types.ResultSet>;

/**
 * Lets a client trace what it executes.
 * @returns does some work, and tells its statements in the order in which they began
 */
export function traced(client: Client): (work: () => Promise<unknown>) => Promise<TracedStatement[]> {
  let statements: SentStatement[] | undefined;
  const wrap = (execute: Execution): Execution => {
    return (query, ...rest) => {
      if (!statements) return execute(query, ...rest);
      const options = { ...(rest.at(-1) as object), traceQuery: true };
      const result = execute(query, ...rest.slice(0, -1), options);
      const cql =
        typeof query === 'string' ? query : query.map((each) => (each as { query: string }).query).join(';\n');
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
      /^(SELECT)[\s\S]*? FROM (\w+)/.exec(each) ?? /^(INSERT) INTO (\w+)/.exec(each) ?? /^(UPDATE) (\w+)/.exec(each) ?? /^(DELETE)[\s\S]*?FROM (\w+)/.exec(each) ?? []; // prettier-ignore
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
  // Paxos reads its own table where its cache has not got a partition.
  const reading = new Map<string, string | undefined>();
  const reads = events.flatMap(({ activity, thread }) => {
    const [, table] = /^Executing single-partition query on (\w+)/.exec(activity) ?? [];
    if (table !== undefined) reading.set(thread, table);
    const [, rows, tombstones] = /^Read (\d+) live rows and (\d+) tombstone cells/.exec(activity) ?? [];
    return rows === undefined || reading.get(thread) === 'paxos'
      ? []
      : [{ rows: Number(rows), tombstones: Number(tombstones) }];
  });
  const partitions = count(/^Executing single-partition query on (?!paxos)/);
  // Paxos reads its one partition again when another ballot came between.
  const isRepeated = isPaxos && partitions > 1;
  if (isRepeated) reads.splice(0, reads.length - reads.length / partitions);
  return {
    label: labelOf(cql),
    cql,
    partitionsRead: isRepeated ? 1 : partitions,
    rowsRead: reads.reduce((sum, { rows }) => sum + rows, 0),
    tombstonesRead: reads.reduce((sum, { tombstones }) => sum + tombstones, 0),
    partitionsWritten: count(/^Adding to (?!paxos)\w+ memtable/),
    isScan: count(/seq scan|range scan|Computing ranges|StorageAttachedIndex|secondary index/i) > 0,
  };
}
