import {
  policies,
  types,
  type Client,
  type EmptyCallback,
  type ExecutionOptions,
  type Host,
  type HostMap,
} from 'cassandra-driver';

/** The policies that the driver is given: which nodes take a statement, and its write timestamp. */

/**
 * Sends the conditional writes and serial reads of a key to one coordinator: the first of its
 * replicas that answers. Paxos rounds of one key that begin at several coordinators preempt each
 * other; at one coordinator they take turns. The driver spreads all other statements over the
 * replicas.
 */
export class ConditionalToFirstReplica extends policies.loadBalancing.DefaultLoadBalancingPolicy {
  /**
   * The driver, without the wrong type of its result: null means that the driver does not know the
   * keyspace.
   */
  #client: { getReplicas: (keyspace: string, token: Buffer) => Host[] | null } | undefined;
  readonly #localDataCenter: string;

  constructor(localDataCenter: string) {
    super({ localDc: localDataCenter });
    this.#localDataCenter = localDataCenter;
  }

  override init(client: Client, hosts: HostMap, callback: EmptyCallback): void {
    this.#client = client;
    super.init(client, hosts, callback);
  }

  override newQueryPlan(
    keyspace: string,
    options: ExecutionOptions,
    callback: (error: Error, plan: Iterator<Host>) => void,
  ): void {
    super.newQueryPlan(keyspace, options, (error, spread) => {
      callback(error, isConditional(options) ? this.#inOrder(keyspace, options, spread) : spread);
    });
  }

  *#inOrder(keyspace: string, options: ExecutionOptions, spread: Iterator<Host>): Generator<Host> {
    const replicas = this.#replicas(keyspace, options.getRoutingKey());
    yield* replicas;
    for (const host of { [Symbol.iterator]: () => spread }) if (!replicas.includes(host)) yield host;
  }

  #replicas(keyspace: string, routingKey: Buffer | Buffer[] | undefined): Host[] {
    const replicas = Buffer.isBuffer(routingKey) ? this.#client?.getReplicas(keyspace, routingKey) : undefined;
    return (replicas ?? [])
      .filter((host) => host.datacenter === this.#localDataCenter && host.isUp())
      .sort((one, other) => Number(isStuck(one)) - Number(isStuck(other)));
  }
}

const SERIAL: readonly types.consistencies[] = [types.consistencies.serial, types.consistencies.localSerial];

/**
 * Returns true for conditional writes and serial reads: only these set a serial consistency, as
 * `serialConsistency` or as `consistency`.
 * @param options null for the driver's own requests, although the driver's types omit it
 */
const isConditional = (options: ExecutionOptions | null) =>
  options !== null &&
  ((options.getSerialConsistency() as unknown) !== undefined || SERIAL.includes(options.getConsistency()));

/**
 * Returns true for a node that accepts requests but has answered none for some tenths of a second.
 * The counters are missing in the driver's types.
 */
function isStuck(host: Host): boolean {
  const { getInFlight, getResponseCount } = host as unknown as Record<'getInFlight' | 'getResponseCount', () => number>;
  return getInFlight.call(host) >= 3 && getResponseCount.call(host) === 0;
}

/** The minimum jump back of a clock that was set back, in microseconds. */
const SET_BACK = 4_000_000;

/**
 * Generates the write timestamps of statements that set none: the time of day in microseconds, each
 * later than the previous one. The driver's own generator never decreases: after a minute with a
 * clock that was a day ahead, all writes of the process would shadow the writes of others for a
 * day. This generator follows a clock that was set back.
 */
export class WriteTimestamps extends policies.timestampGeneration.MonotonicTimestampGenerator {
  #last = 0;

  constructor() {
    // The arguments are the drift for a warning and the interval of warnings. An interval of 0
    // disables warnings.
    super(1_000, 0);
  }

  override next(): number {
    const now = Date.now() * 1_000;
    const wasSetBack = this.#last - now > SET_BACK;
    this.#last = wasSetBack ? now : Math.max(now, this.#last + 1);
    return this.#last;
  }
}
