import { first } from '../cassandra/statement.ts';
import { erasedBy } from '../erasure/erasing.ts';
import type { PersonalTable } from '../erasure/personal-table.ts';
import { eraseMailTokens, selectAccount } from './tables.ts';

export const personalData: readonly PersonalTable[] = [
  {
    table: 'users_by_id',
    exported: async function* ({ cassandra }, user_id) {
      const { state } = (await first(cassandra, selectAccount, { user_id })) ?? {};
      if (!state) return;
      const { email, full_name, registered_at, email_changed_at, email_verified_at, password_changed_at } = state;
      const { verified_once, verify_by, two_factor_since, passkeys, bio, avatar_url } = state;
      const { likes_audience, readings_audience, messages_refused, approves_followers } = state;
      const { muted_notifications: mutedNotifications, suspended, taken_down_names } = state;
      yield {
        email,
        fullName: full_name,
        bio,
        avatarUrl: avatar_url,
        registeredAt: registered_at,
        emailChangedAt: email_changed_at,
        emailVerifiedAt: email_verified_at,
        deletedUnlessVerifiedBy: verified_once ? null : verify_by,
        passwordChangedAt: password_changed_at,
        twoFactorSince: two_factor_since,
        passkeys: passkeys.map(({ name, created_at, used_at }) => ({ name, createdAt: created_at, usedAt: used_at })),
        isSuspended: suspended,
        namesTakenDown: taken_down_names,
        privacy: {
          likes: likes_audience,
          readings: readings_audience,
          takesMessages: !messages_refused,
          approvesFollowers: approves_followers === true,
        },
        mutedNotifications,
      };
    },
    erased:
      'erased by the decision to delete the account; the remaining row contains only the times of ' +
      'registration and deletion, and the deadline for the verification of the email',
  },
  {
    table: 'users_by_login_info',
    exported: 'the email is in users_by_id',
    erased: 'by the decision to delete the account, which releases the email',
  },
  {
    table: 'mail_tokens',
    exported: 'only hashes of tokens that were sent by mail in the last days',
    erased: erasedBy(eraseMailTokens, 'user_id'),
  },
];
