import { HOUR_MS } from '../time/units.ts';
import type { Room } from '../house/room.ts';
import { measureRepairs } from './repairs.worker.ts';

export const room = {
  workers: [{ name: 'repair age', periodMs: HOUR_MS, isAtStart: true, run: measureRepairs }],
} satisfies Room;
