import { dockerUnavailable, startDocker } from './docker.ts';
import { embeddedUnavailable, startEmbedded } from './embedded.ts';
import type { Log, RunningCassandra } from './running.ts';

/** Where a started Cassandra keeps its data. */
export interface LaunchPlaces {
  /** Jars that every embedded node shares. */
  readonly folder: string;
  /** The embedded node's data. */
  readonly dataFolder: string;
  /** The Docker volume of the data; of no use for temporary data. */
  readonly volume: string;
  /** Whether the data ends with what is started, which then spares what keeps data safe. */
  readonly isTemporary: boolean;
}

/**
 * Finds a Cassandra or starts one: the contact points when they are set, else a container, else the embedded node.
 * @throws Error naming the three ways and why each is not open, when none is
 */
export async function launchCassandra(
  contactPoints: readonly string[] | undefined,
  places: LaunchPlaces,
  log: Log,
): Promise<RunningCassandra> {
  if (contactPoints) return { kind: 'external', contactPoints, stop: () => Promise.resolve() };
  const noDocker = await dockerUnavailable(log);
  if (noDocker === undefined) return startDocker(places.isTemporary ? undefined : places.volume, log);
  log(`Docker is not used: ${noDocker}`);
  const noEmbedded = await embeddedUnavailable(places.folder);
  if (noEmbedded === undefined) return startEmbedded(places.folder, places, log);
  throw new Error(`There is no Cassandra to use. There are three ways to get one:
  1. Set CASSANDRA_CONTACT_POINTS to a running cluster, for example 127.0.0.1:9042. It is not set.
  2. Docker: ${noDocker}.
  3. Java and Maven: ${noEmbedded}.`);
}
