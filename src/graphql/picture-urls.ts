import { isLongerThan } from '../text/text.ts';
import { invalidInput } from './errors.ts';

/**
 * The URLs of pictures that others see. Their hosts are restricted, because the host of a picture
 * sees the readers whose frontends load it.
 */

const URL_LENGTH_MAX = 500;

/** True for the URL of a picture that may be shown: by https, from one of the hosts. */
export function isPictureUrl(url: string, hosts: readonly string[]): boolean {
  if (isLongerThan(url, URL_LENGTH_MAX) || !URL.canParse(url)) return false;
  const { protocol, host, username } = new URL(url);
  return protocol === 'https:' && username === '' && hosts.includes(host);
}

/**
 * Reads the URL of a picture.
 * @param noun the noun for messages, with an article: `A cover`
 * @throws {UserError} `INVALID_INPUT` about `field`
 */
export function pictureInput(field: string, noun: string, url: string | null, hosts: readonly string[]): string | null {
  if (url === null || isPictureUrl(url, hosts)) return url;
  throw invalidInput(
    [field],
    hosts.length > 0
      ? `${noun} is at an address that begins with https:// and one of: ${hosts.join(', ')}.`
      : `${noun} cannot be shown here: no host of such pictures is allowed.`,
  );
}
