import { LRUCache } from 'lru-cache';
import type { Soon } from '../cassandra/soon.ts';
import type { Config } from '../config/config.ts';
import { perProcess } from '../context/context.ts';
import { readAccessToken, type AccessToken, type TokenFault, type TokenOwner } from './tokens.ts';

/**
 * All letters of the tokens that are kept: some 10,000 of 380 letters. In letters, as who has a token can write it in other ways, also
 * longer ones.
 */
const LETTERS_MAX = 4_000_000;

/** The access tokens that this process has verified. */
export const verifiedTokens = perProcess(({ config }) => new VerifiedTokens(config));

/**
 * Verifies each access token once, as that costs more than anything else that is done for a small query. Only good ones are kept, so that
 * nobody without one gets anything in. That a token is good says nothing about its session: see `liveness.ts`.
 */
export class VerifiedTokens {
  readonly #config: Config;
  readonly #kept = new LRUCache<string, AccessToken & { readonly verifiedAt: number }>({ maxSize: LETTERS_MAX });

  constructor(config: Config) {
    this.#config = config;
  }

  /** The owner of an access token, or why it is not good. */
  ownerOf(token: string, now: Date): Soon<TokenOwner | TokenFault> {
    const second = Math.floor(now.getTime() / 1_000);
    const kept = this.#kept.get(token);
    // Before and after, as a clock may go back and may be behind, it is read anew: what is kept only ever says yes.
    if (kept && kept.verifiedAt <= second && second < kept.goodUntil) return kept.owner;
    return this.#read(token, now, second);
  }

  async #read(token: string, now: Date, second: number): Promise<TokenOwner | TokenFault> {
    const read = await readAccessToken(this.#config, token, now);
    if (typeof read === 'string') return read;
    this.#kept.set(token, { ...read, verifiedAt: second }, { size: token.length });
    return read.owner;
  }
}
