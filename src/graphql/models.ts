import type { PageInfo } from './connections.ts';

/**
 * The model of each type of the schema. A type's resolvers receive its model as their source. Each
 * feature declares its own types here (`declare module`), beside its resolvers, so that the
 * generated types import no feature.
 */
export interface Models {
  PageInfo: PageInfo;
}
