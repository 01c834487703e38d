/** Prints a line about the progress. */
export type Log = (line: string) => void;

/** A Cassandra that answers. */
export interface RunningCassandra {
  readonly kind: 'external' | 'docker' | 'embedded';
  readonly contactPoints: readonly string[];
  /** Stops a started Cassandra and keeps its data. It does nothing for an external one. */
  readonly stop: () => Promise<void>;
}
