import type { Room } from '../house/room.ts';
import { imports } from './aggregate.ts';
import { importAwaited } from './arrivals.ts';
import { importAudit, unlistedAudit } from './audit.ts';
import { importSome, undoSome } from './going-through.ts';
import { personalData } from './personal-data.ts';
import { resolvers } from './resolvers.ts';
import { importById } from './operations.ts';

export const room = {
  resolvers,
  nodeTypes: { LibraryImport: { find: importById } },
  transactions: [imports.transaction],
  jobs: {
    IMPORT_LIBRARY: importSome,
    UNDO_LIBRARY_IMPORT: undoSome,
    BOOKS_ARRIVED: importAwaited,
  },
  audits: [importAudit, unlistedAudit],
  personalData,
} satisfies Room;
