import { projectionAudit } from '../audit/projection.ts';
import type { Feature } from '../feature/feature.ts';
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

export const feature = {
  resolvers,
  transactions: [notes.transaction],
  audits: [noteAudit],
  personalData,
} satisfies Feature;
