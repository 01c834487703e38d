import type { Feature } from '../feature/feature.ts';
import { resolvers } from './resolvers.ts';

export const feature = {
  resolvers,
  viewerData: {
    markNotificationsRead: 'NOTIFICATIONS',
    updateNotificationSettings: 'NOTIFICATIONS',
  },
} satisfies Feature;
