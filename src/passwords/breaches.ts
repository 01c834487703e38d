import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import { Counter } from 'prom-client';
import { perProcess, type AppContext } from '../context/context.ts';
import { UserError } from '../graphql/errors.ts';
import { spelled } from './passwords.ts';

/**
 * Passwords that were stolen elsewhere, by a service that is asked without being told them: it gets the first five hex digits of a
 * password's SHA-1 and answers the rest of every hash that begins so, some 800 of them (k-anonymity, as Pwned Passwords has it).
 */

const PREFIX_LENGTH = 5;
/** Waiting for one's turn included. Who chooses a password waits no longer. */
const ANSWERED_WITHIN_MS = 1_000;
const AT_ONCE = 16;
/** Several times what a service answers, with its padding. */
const ANSWER_BYTES_MAX = 512 * 1_024;

const lookUps = new Counter({
  name: 'breached_password_lookups_total',
  help: 'Look-ups of new passwords among breached ones, by what was found; of those that failed the password was taken',
  labelNames: ['result'],
});

/** A process asks for so many at once. */
const turns = perProcess(() => pLimit(AT_ONCE));

/**
 * Refuses a new password that is known from a breach, where a service is set up to ask. Where it does not answer in time, the password
 * is taken: nobody is to be kept out by a service of others.
 * @param field which input field it came as
 * @throws {UserError} `INVALID_PASSWORD`
 */
export async function mustNotBeBreached(
  app: AppContext,
  password: string,
  field: 'password' | 'newPassword',
): Promise<void> {
  const { breachedUrl } = app.config.passwords;
  if (breachedUrl === undefined || !(await isBreached(app, breachedUrl, password))) return;

  const message =
    'This password is in a list of passwords that were stolen elsewhere, which others try. Choose one that you use nowhere else; a few words are good.';
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
    // Its message may repeat the digits.
    const { name, cause } = error as Error;
    const { code } = (cause ?? {}) as { code?: string };
    app.logger.warn({ name, code }, 'a password was taken unseen: the breached ones could not be looked up');
    return false;
  }
}

async function ask(url: string, signal: AbortSignal): Promise<string> {
  const headers = { 'add-padding': 'true', 'user-agent': 'social-e-library' };
  // The digits are for this service alone.
  const response = await fetch(url, { headers, signal, redirect: 'error' });
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    throw new Error('no list', { cause: { code: `HTTP ${response.status}` } });
  }
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > ANSWER_BYTES_MAX) throw new Error('too much', { cause: { code: 'TOO_LONG' } });
  }
  return text;
}

/** Whether a list, a line `SUFFIX:COUNT` each, has a hash that was found at least once; padding was found never. */
const has = (list: string, suffix: string) =>
  list.split('\n').some((line) => {
    const [found, count] = line.trim().split(':');
    return found?.toUpperCase() === suffix && Number(count) > 0;
  });
