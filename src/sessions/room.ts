import type { Room } from '../house/room.ts';
import { sessions } from './aggregate.ts';
import { sessionAudit } from './audit.ts';
import { personalData } from './personal-data.ts';
import { resolvers } from './resolvers.ts';
import { sessionById } from './operations.ts';

export const room = {
  resolvers,
  nodeTypes: { Session: { find: sessionById } },
  transactions: [sessions.transaction],
  audits: [sessionAudit],
  personalData,
  beforeVerified: ['startSession', 'refreshTokens'],
} satisfies Room;
