import { projectionAudit } from '../audit/projection.ts';
import type { Room } from '../house/room.ts';
import { byNotedAt, notes } from './aggregate.ts';
import { personalData } from './personal-data.ts';
import { resolvers } from './resolvers.ts';

/** The audit of the list of each reader's notes. */
const noteAudit = projectionAudit(notes, {
  kind: 'notes',
  lists: [byNotedAt],
  keyOf: ({ user_id, book_id }) => ({ userId: user_id, bookId: book_id }),
  behind: ({ userId }) => [{ type: 'User', key: userId }],
});

export const room = {
  resolvers,
  transactions: [notes.transaction],
  audits: [noteAudit],
  personalData,
} satisfies Room;
