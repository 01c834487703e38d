import type { Feature } from '../feature/feature.ts';
import { pusher } from './pushes.ts';
import { resolvers } from './resolvers.ts';

export const feature = {
  resolvers,
  viewerData: {
    markNotificationsRead: 'NOTIFICATIONS',
    updateNotificationSettings: 'NOTIFICATIONS',
  },
  onNews: (app, news) => {
    pusher(app).post(news);
  },
} satisfies Feature;
