import { accountKey, accounts, requireExisting } from '../accounts/aggregate.ts';
import { changedViewer } from '../accounts/changes.ts';
import type { RequestContext } from '../context/context.ts';
import type { NotificationKind, UpdateNotificationSettingsInput } from '../graphql/generated/schema-types.ts';
import { existingAccount, requireViewer } from '../identity/operations.ts';

/** The kinds of notifications that a reader gets. */

/** The kind that each setting switches on or off. */
const KINDS = {
  followed: 'FOLLOWED',
  reviewLiked: 'REVIEW_LIKED',
  listLiked: 'LIST_LIKED',
  importEnded: 'IMPORT_ENDED',
} as const satisfies Record<keyof UpdateNotificationSettingsInput, NotificationKind>;

type Setting = keyof typeof KINDS;

/** The settings of a reader; true for each kind that is on. */
export type NotificationSettings = Readonly<Record<Setting, boolean>>;

const SETTINGS = Object.keys(KINDS) as Setting[];

/** Returns the settings of a reader. */
export async function notificationSettingsOf(context: RequestContext, userId: string): Promise<NotificationSettings> {
  const { mutedNotifications } = await existingAccount(context, userId);
  const isOn = SETTINGS.map((setting) => [setting, !mutedNotifications.includes(KINDS[setting])]);
  return Object.fromEntries(isOn) as NotificationSettings;
}

/**
 * Switches kinds of the viewer's notifications on or off. What is not given is unchanged, and so
 * are kinds that only a later release knows.
 */
export async function updateNotificationSettings(context: RequestContext, input: UpdateNotificationSettingsInput) {
  const { id: userId } = await requireViewer(context);
  const key = accountKey(userId, 'NOTIFICATIONS');
  const given = SETTINGS.filter((setting) => input[setting] != null);

  const expected = await accounts.read(context, key);
  await accounts.change(context, key, expected, (state) => {
    requireExisting(state);
    const muted = new Set(state.muted_notifications);
    for (const setting of given) muted[input[setting] === true ? 'delete' : 'add'](KINDS[setting]);
    const next = [...muted].toSorted();
    return next.join() === state.muted_notifications.join() ? undefined : { ...state, muted_notifications: next };
  });
  return changedViewer(context, userId);
}
