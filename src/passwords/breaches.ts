import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import { Counter } from 'prom-client';
import { perProcess, type AppContext } from '../context/context.ts';
import { UserError } from '../graphql/errors.ts';
import { spelled } from './passwords.ts';

/**
 * Looks up passwords in a service that lists stolen ones, without revealing the password. The
 * service receives the first five hex digits of the password's SHA-1, and answers with the rest of
 * every hash with that prefix, about 800 of them (k-anonymity, as in Pwned Passwords).
 */

const PREFIX_LENGTH = 5;
/** The maximum time for a look-up, including the time in the queue. */
const ANSWERED_WITHIN_MS = 1_000;
const AT_ONCE = 16;
/** The maximum length of an answer, several times that of a padded one. */
const ANSWER_BYTES_MAX = 512 * 1_024;

const lookUps = new Counter({
  name: 'breached_password_lookups_total',
  help: 'Look-ups of new passwords among breached ones, by result; a password whose look-up failed was accepted',
  labelNames: ['result'],
});

/** Limits the number of concurrent look-ups of a process. */
const turns = perProcess(() => pLimit(AT_ONCE));

/**
 * Refuses a new password that is known from a breach, if such a service is configured. If the
 * service does not answer in time, the password is accepted: an outage of an external service must
 * not keep anybody out.
 * @param field the input field of the password
 * @throws {UserError} `INVALID_PASSWORD`
 */
export async function requireUnbreached(
  app: AppContext,
  password: string,
  field: 'password' | 'newPassword',
): Promise<void> {
  const { breachedUrl } = app.config.passwords;
  if (breachedUrl === undefined || !(await isBreached(app, breachedUrl, password))) return;

  const message =
    'This password is in a list of stolen passwords that attackers try. Choose one that you use nowhere else; ' +
    'a few words are good.';
  throw new UserError('INVALID_PASSWORD', message, ['input', field]);
}

async function isBreached(app: AppContext, url: string, password: string): Promise<boolean> {
  const hash = createHash('sha1').update(spelled(password)).digest('hex').toUpperCase();
  const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
  try {
    const known = await turns(app)(() => ask(`${url}/${hash.slice(0, PREFIX_LENGTH)}`, signal));
    const isFound = has(known, hash.slice(PREFIX_LENGTH));
    lookUps.inc({ result: isFound ? 'found' : 'not_found' });
    return isFound;
  } catch (error) {
    lookUps.inc({ result: 'failed' });
    // The error's message is not logged, because it may contain the hash prefix.
    const { name, cause } = error as Error;
    const { code } = (cause ?? {}) as { code?: string };
    app.logger.warn({ name, code }, 'a password was accepted unchecked: the breached passwords could not be looked up');
    return false;
  }
}

async function ask(url: string, signal: AbortSignal): Promise<string> {
  const headers = { 'add-padding': 'true', 'user-agent': 'social-e-library' };
  // A redirect is an error, because the prefix is only for this service.
  const response = await fetch(url, { headers, signal, redirect: 'error' });
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    throw new Error('no list', { cause: { code: `HTTP ${response.status}` } });
  }
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > ANSWER_BYTES_MAX) throw new Error('too much', { cause: { code: 'TOO_LONG' } });
  }
  return text;
}

/**
 * True if a list of lines `SUFFIX:COUNT` has a hash with a count above 0. Padding has the count 0.
 */
const has = (list: string, suffix: string) =>
  list.split('\n').some((line) => {
    const [found, count] = line.trim().split(':');
    return found?.toUpperCase() === suffix && Number(count) > 0;
  });
