import { dictionary } from '@zxcvbn-ts/language-common';
import { UserError } from '../graphql/errors.ts';
import { shownInput } from '../graphql/inputs.ts';
import { pictureInput } from '../graphql/picture-urls.ts';
import { folded } from '../text/folding.ts';
import { charactersIn, readShownText } from '../text/text.ts';
import { normaliseEmail } from './emails.ts';

/** Checks of the data that people enter about themselves. */

const PASSWORD_LENGTH_MAX = 256;
const FULL_NAME_LENGTH_MAX = 100;
const BIO_LENGTH_MAX = 500;
const PASSKEY_NAME_LENGTH_MAX = 100;
/** The minimum length of a context word. Shorter words occur in too many passwords by chance. */
const CONTEXT_WORD_LENGTH_MIN = 3;
/** The words that every attacker of this service tries. */
const SERVICE_WORDS = ['library', 'e-library', 'elibrary'];
/** The length of the shortest password that the blocklist contains and the policy accepts. */
const PASSWORD_LENGTH_LEAST = 8;

const blocklist = new Set(
  dictionary['passwords-common'].map(String).filter((password) => password.length >= PASSWORD_LENGTH_LEAST),
);

/**
 * Reads an email, and normalises it.
 * @throws {UserError} `INVALID_EMAIL`
 */
export function emailInput(text: string): string {
  const email = normaliseEmail(text);
  if (email === undefined) {
    throw new UserError('INVALID_EMAIL', 'This is not an email address, such as ann@example.com.', ['input', 'email']);
  }
  return email;
}

/** Normalises a name as it is shown; returns `undefined` when the text cannot be a name. */
export const normaliseFullName = (text: string): string | undefined =>
  readShownText(text, FULL_NAME_LENGTH_MAX, 'REFUSED').text;

/**
 * Reads the name that everybody sees.
 * @throws {UserError} `INVALID_INPUT` about `fullName`
 */
export const fullNameInput = (text: string): string =>
  shownInput(['fullName'], 'A name', text, FULL_NAME_LENGTH_MAX, 'REFUSED');

/**
 * Reads what a reader says about themselves.
 * @throws {UserError} `INVALID_INPUT` about `bio`
 */
export const bioInput = (text: string | null): string | null =>
  text === null ? null : shownInput(['bio'], 'This text', text, BIO_LENGTH_MAX, 'KEPT');

/**
 * Reads the address of a reader's picture.
 * @param hosts the allowed hosts
 * @throws {UserError} `INVALID_INPUT` about `avatarUrl`
 */
export const avatarInput = (url: string | null, hosts: readonly string[]): string | null =>
  pictureInput('avatarUrl', 'A picture of a reader', url, hosts);

/**
 * Reads a reader's name for a passkey.
 * @throws {UserError} `INVALID_INPUT` about `name`
 */
export const passkeyNameInput = (text: string): string =>
  shownInput(['name'], 'The name of a passkey', text, PASSKEY_NAME_LENGTH_MAX, 'REFUSED');

/** The known facts about the owner of a new password. */
interface Owner {
  readonly fullName?: string | undefined;
  readonly email?: string | undefined;
}

/**
 * Checks a new password by the policy of NIST SP 800-63B-4, 3.1.1.2: its length, a blocklist, and
 * words that can be guessed from its owner. There are no rules about the kinds of characters.
 * @param field the input field of the password
 * @throws {UserError} `INVALID_PASSWORD` with what to change
 */
export function newPasswordInput(
  field: 'password' | 'newPassword',
  password: string,
  lengthMin: number,
  owner: Owner,
): string {
  const problem = problemOf(password, lengthMin, owner);
  if (problem !== undefined) throw new UserError('INVALID_PASSWORD', problem, ['input', field]);
  return password;
}

function problemOf(password: string, lengthMin: number, owner: Owner): string | undefined {
  const length = charactersIn(password);
  if (length < lengthMin) {
    return `The password has ${length} characters; use at least ${lengthMin}. A few words are good.`;
  }
  if (length > PASSWORD_LENGTH_MAX) {
    return `The password has ${length} characters; use at most ${PASSWORD_LENGTH_MAX}.`;
  }
  const plain = folded(password);
  if (blocklist.has(plain) || isOneCharacter(plain)) {
    return 'This is one of the passwords that everybody tries first. Choose another one; a few words are good.';
  }
  if (lengthWithout(plain, contextWords(owner)) < PASSWORD_LENGTH_LEAST) {
    return (
      'Somebody who knows your name and email can guess this password. ' +
      'Choose one that has nothing to do with them.'
    );
  }
  return undefined;
}

const isOneCharacter = (text: string) => new Set(text).size === 1;

/** Returns the number of characters of a text that belong to none of the given words. */
function lengthWithout(text: string, words: readonly string[]): number {
  const rest: (string | undefined)[] = text.split('');
  for (const word of words) {
    let end = 0;
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      // Overlapping matches are removed once.
      rest.fill(undefined, Math.max(at, end), at + word.length);
      end = at + word.length;
    }
  }
  return charactersIn(rest.filter((character) => character !== undefined).join(''));
}

function contextWords({ fullName = '', email = '' }: Owner): string[] {
  const [local = '', domain = ''] = email.split('@');
  const words = [fullName, email, local, domain, ...`${fullName} ${local} ${domain}`.split(/[^\p{L}\p{N}]+/u)];
  return [...SERVICE_WORDS, ...words.map(folded)].filter((word) => charactersIn(word) >= CONTEXT_WORD_LENGTH_MIN);
}
