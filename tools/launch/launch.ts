import type { Log } from '../../src/terminal/progress.ts';
import { dockerUnavailable, startDocker } from './docker.ts';
import { embeddedUnavailable, startEmbedded } from './embedded.ts';
import type { RunningCassandra } from './running.ts';

/** The places where a started Cassandra stores its data. */
export interface LaunchPlaces {
  /** The folder of the jars, which all embedded nodes share. */
  readonly folder: string;
  /** The folder of the embedded node's data. */
  readonly dataFolder: string;
  /** The Docker volume of the data; unused if the data is temporary. */
  readonly volume: string;
  /**
   * True if the data is deleted with the started Cassandra, which then skips work for durability.
   */
  readonly isTemporary: boolean;
  /** True if the started Cassandra runs only for a few minutes. */
  readonly isShort: boolean;
}

/**
 * Finds or starts a Cassandra: the contact points if they are set, else a container, else the
 * embedded node.
 * @throws Error with the reason for each of the three ways, if none works
 */
export async function launchCassandra(
  contactPoints: readonly string[] | undefined,
  places: LaunchPlaces,
  log: Log,
): Promise<RunningCassandra> {
  if (contactPoints) return { contactPoints, stop: () => Promise.resolve() };
  const noDocker = await dockerUnavailable(log);
  if (noDocker === undefined) return startDocker(places.isTemporary ? undefined : places.volume, places.isShort, log);
  log(`Docker is not used: ${noDocker}`);
  const noEmbedded = await embeddedUnavailable(places.folder);
  if (noEmbedded === undefined) return startEmbedded(places.folder, places, log);
  throw new Error(`There is no Cassandra to use. There are three ways to get one:
  1. Set CASSANDRA_CONTACT_POINTS to a running cluster, for example 127.0.0.1:9042. It is not set.
  2. Docker: ${noDocker}.
  3. Java and Maven: ${noEmbedded}.`);
}
