import type { Cursor } from '../graphql/connections.ts';
import { mutation } from '../graphql/errors.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { onlyForSelf } from '../identity/privacy.ts';
import { countUnread, markNotificationsRead, notificationsOf, readersIn, type Notification } from './operations.ts';
import { notificationSettingsOf, updateNotificationSettings, type NotificationSettings } from './settings.ts';

declare module '../graphql/models.ts' {
  interface Models {
    Notification: Notification;
    NotificationSettings: NotificationSettings;
    NotificationEdge: { cursor: Cursor; at: Date; node: Notification };
  }
}

const unchanged = { viewer: null };

export const resolvers = {
  Mutation: {
    updateNotificationSettings: (_mutation, { input }, context) =>
      mutation(unchanged, () => updateNotificationSettings(context, input)),
    markNotificationsRead: (_mutation, { input }, context) =>
      mutation(unchanged, () => markNotificationsRead(context, input)),
  },
  User: {
    notifications: onlyForSelf(notificationsOf),
    unreadNotificationCount: onlyForSelf(countUnread),
    notificationSettings: onlyForSelf(notificationSettingsOf),
  },
  Notification: {
    count: ({ readers }) => readers?.count ?? 0,
    readers: (notification, { first }, context) => readersIn(context, notification, first),
  },
} satisfies Resolvers;
