import type { PageInfo } from './connections.ts';

/**
 * What the resolvers of each type of the schema are given. Each feature declares its own types here (`declare module`), beside
 * its resolvers; so what is generated knows no feature.
 */
export interface Models {
  PageInfo: PageInfo;
}
