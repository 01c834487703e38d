import type { PageInfo } from './connections.ts';

/**
 * The model of each type of the schema. A type's resolvers receive its model as their source. Each
 * feature adds its own types to this interface (`declare module`) in the files of its resolvers, so
 * that the generated types import no feature.
 */
export interface Models {
  PageInfo: PageInfo;
}
