import { LRUCache } from 'lru-cache';
import type { MaybePromise } from '../cassandra/maybe-promise.ts';
import type { Config } from '../config/config.ts';
import { perProcess } from '../context/context.ts';
import { readAccessToken, type AccessToken, type TokenFault, type TokenOwner } from './tokens.ts';

/**
 * The maximum number of characters of all kept tokens: some 10,000 tokens of 380 characters. The
 * limit is in characters because the holder of a token can write it in other and longer ways.
 */
const LETTERS_MAX = 4_000_000;

/** The access tokens that this process has verified. */
export const verifiedTokens = perProcess(({ config }) => new VerifiedTokens(config));

/**
 * Verifies each access token once, because that costs more than anything else in a small query.
 * Only valid tokens are kept, so callers without one cannot fill the cache. The session of a valid
 * token may have ended: see `liveness.ts`.
 */
export class VerifiedTokens {
  readonly #config: Config;
  /** The secrets with which the kept tokens were verified. */
  #secrets: readonly string[];
  readonly #kept = new LRUCache<string, AccessToken & { readonly verifiedAt: number }>({ maxSize: LETTERS_MAX });

  constructor(config: Config) {
    this.#config = config;
    this.#secrets = config.accessTokens.secrets;
  }

  /** Returns the owner of an access token, or the reason why it is not valid. */
  ownerOf(token: string, now: Date): MaybePromise<TokenOwner | TokenFault> {
    this.#forgetIfRenewed();
    const second = Math.floor(now.getTime() / 1_000);
    const kept = this.#kept.get(token);
    // The cache has only valid tokens. Outside this span the token is verified again, because a
    // clock may be set back or be behind.
    if (kept && kept.verifiedAt <= second && second < kept.goodUntil) return kept.owner;
    return this.#read(token, now, second);
  }

  /** A token of a removed secret is no longer valid. */
  #forgetIfRenewed(): void {
    const { secrets } = this.#config.accessTokens;
    if (secrets === this.#secrets) return;
    this.#secrets = secrets;
    this.#kept.clear();
  }

  async #read(token: string, now: Date, second: number): Promise<TokenOwner | TokenFault> {
    const read = await readAccessToken(this.#config, token, now);
    if (typeof read === 'string') return read;
    this.#kept.set(token, { ...read, verifiedAt: second }, { size: token.length });
    return read.owner;
  }
}
