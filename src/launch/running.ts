/** Tells a person what is going on, a line at a time. */
export type Log = (line: string) => void;

/** A Cassandra that answers. */
export interface RunningCassandra {
  readonly kind: 'external' | 'docker' | 'embedded';
  readonly contactPoints: readonly string[];
  /** Ends what was started, keeping its data; nothing for an external one. */
  readonly stop: () => Promise<void>;
}
