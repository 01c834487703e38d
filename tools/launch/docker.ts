import { SHORT_OPTIONS, TEMPORARY_OPTIONS } from './embedded.ts';
import { untilAnswering } from './probe.ts';
import type { Log } from '../../src/terminal/progress.ts';
import type { RunningCassandra } from './running.ts';

/**
 * Starts Cassandra in a container by testcontainers, for development and tests on a machine with
 * Docker.
 */

export const DOCKER_IMAGE = 'cassandra:5.0.9';
const NATIVE_PORT = 9042;
const READY_WITHIN_MS = 180_000;
const STOP_WITHIN_MS = 30_000;

/**
 * Returns the reason why Docker cannot be used, or `undefined` if an engine answers and has or can
 * pull the image.
 */
export async function dockerUnavailable(log: Log): Promise<string | undefined> {
  // It is a development dependency, which production lacks.
  const testcontainers = await import('testcontainers').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
  });
  if (!testcontainers) return 'the package testcontainers is not installed; `npm ci` without --omit=dev installs it';

  const { getContainerRuntimeClient, ImageName } = testcontainers;
  const runtime = await getContainerRuntimeClient().catch(() => undefined);
  if (!runtime) return 'no Docker engine answers; start one, or set DOCKER_HOST';
  const image = ImageName.fromString(DOCKER_IMAGE);
  if (await runtime.image.exists(image)) return undefined;
  log(`fetching the image ${DOCKER_IMAGE}, once`);
  try {
    await runtime.image.pull(image);
    return undefined;
  } catch (error) {
    return `the image ${DOCKER_IMAGE} cannot be pulled: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/**
 * Starts the container and waits until Cassandra answers.
 * @param volume the name of the Docker volume for the data; if unset, the data ends with the
 *   container
 * @param isShort true if it works for a few minutes only
 */
export async function startDocker(volume: string | undefined, isShort: boolean, log: Log): Promise<RunningCassandra> {
  const { GenericContainer } = await import('testcontainers');
  const container = new GenericContainer(DOCKER_IMAGE)
    .withExposedPorts(NATIVE_PORT)
    .withEnvironment({
      MAX_HEAP_SIZE: '512M',
      HEAP_NEWSIZE: '128M',
      // A single node has no other to wait for.
      JVM_EXTRA_OPTS: [
        '-Dcassandra.skip_wait_for_gossip_to_settle=0 -Dcassandra.ring_delay_ms=0',
        ...(volume === undefined ? TEMPORARY_OPTIONS : []),
        ...(isShort ? SHORT_OPTIONS : []),
      ].join(' '),
    })
    .withStartupTimeout(READY_WITHIN_MS);
  if (volume !== undefined) {
    // With reuse, the next start takes over the container of a server that was killed.
    container.withBindMounts([{ source: volume, target: '/var/lib/cassandra' }]).withReuse();
  }
  log(`starting Cassandra in a container of ${DOCKER_IMAGE}${volume ? `, data in the volume ${volume}` : ''}`);
  const started = await container.start();
  const stop = async () => {
    await started.stop({ timeout: STOP_WITHIN_MS, remove: true, removeVolumes: volume === undefined });
  };
  const [host, port] = [started.getHost(), started.getMappedPort(NATIVE_PORT)];
  const deadline = Date.now() + READY_WITHIN_MS;
  if (!(await untilAnswering(host, port, () => Date.now() < deadline))) {
    await stop();
    throw new Error(
      `Cassandra did not answer within ${READY_WITHIN_MS / 1_000} s; ` +
        'give Docker more memory, or set CASSANDRA_CONTACT_POINTS',
    );
  }
  return { contactPoints: [`${host}:${port}`], stop };
}
