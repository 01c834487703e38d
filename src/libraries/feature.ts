import type { Feature } from '../feature/feature.ts';
import { CELLS_MAX } from './cells.ts';
import { resolvers } from './resolvers.ts';
import { libraryById } from './operations.ts';

export const feature = {
  resolvers,
  nodeTypes: { Library: { find: libraryById } },
  costs: { Query: { libraries: { partitions: ({ near }) => (near ? CELLS_MAX : 1) } } },
  impersonalTables: ['libraries_by_id', 'libraries_by_city', 'libraries_by_city_opened', 'libraries_by_cell', 'places'],
} satisfies Feature;
