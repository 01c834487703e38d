/**
 * The URLs of push services, to which this server sends messages. A caller chooses the URL of a
 * subscription, so only known services are accepted: otherwise callers could make the server send
 * requests to hosts that only it can reach.
 */

/** The maximum length of a URL. Those of the known services have some 150 to 500 characters. */
const LENGTH_MAX = 1_000;

/**
 * Reads the URL of a push subscription.
 * @param hosts the hosts of push services, each with its port unless that is 443; `*.` at the
 *   beginning is for any name within a domain
 * @returns `undefined` for any other URL than one by https at one of the hosts
 */
export function readEndpoint(endpoint: string, hosts: readonly string[]): string | undefined {
  const url = URL.parse(endpoint);
  if (url?.protocol !== 'https:' || url.href.length > LENGTH_MAX) return undefined;
  const isPlain = url.username === '' && url.password === '' && url.hash === '';
  return isPlain && hosts.some((host) => isHost(url.host, host)) ? url.href : undefined;
}

const isHost = (given: string, allowed: string) =>
  allowed.startsWith('*.') ? given.endsWith(allowed.slice(1)) : given === allowed;
