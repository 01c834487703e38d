/** A Cassandra that answers. */
export interface RunningCassandra {
  readonly contactPoints: readonly string[];
  /** Stops a started Cassandra and keeps its data. It does nothing for an external one. */
  readonly stop: () => Promise<void>;
}
