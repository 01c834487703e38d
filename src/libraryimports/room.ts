import type { Room } from '../house/room.ts';
import { imports } from './aggregate.ts';
import { importAudit } from './audit.ts';
import { importSome, undoSome } from './going-through.ts';
import { personalData } from './personal-data.ts';
import { resolvers } from './resolvers.ts';

export const room = {
  resolvers,
  transactions: [imports.transaction],
  jobs: { IMPORT_LIBRARY: importSome, UNDO_LIBRARY_IMPORT: undoSome },
  audits: [importAudit],
  personalData,
} satisfies Room;
