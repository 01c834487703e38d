import { Kind, type OperationDefinitionNode } from 'graphql';
import type { RequestContext } from '../context/context.ts';
import { badUserInput, mutation, RequestError } from '../graphql/errors.ts';
import { encodeId, keyArgument } from '../graphql/ids.ts';
import type { Audience } from '../graphql/generated/schema-types.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import {
  changeEmail,
  changePassword,
  deleteAccount,
  pendingRenameOf,
  updatePrivacy,
  updateProfile,
} from './changes.ts';
import { endSessionOfViewer, logout } from './ending-sessions.ts';
import { reinstateAccount, suspendAccount } from './suspension.ts';
import { onlyForSelf, privacyOf, seeAs, shownReader } from '../identity/privacy.ts';
import { requestEmailVerification, verifyEmail } from './email-verification.ts';
import { login, register } from './operations.ts';
import {
  addPasskey,
  loginWithPasskey,
  passkeysOf,
  removePasskey,
  startPasskey,
  startPasskeyLogin,
} from './passkeys.ts';
import { requestPasswordReset, resetPassword } from './password-reset.ts';
import { settingsFor } from './settings.ts';
import { confirmTwoFactor, startTwoFactor, stopTwoFactor } from './two-factor.ts';
import { existingAccount, requireSignedIn, shownAvatar, viewerOf, type User } from '../identity/operations.ts';

declare module '../graphql/models.ts' {
  interface Models {
    User: User;
  }
}

const nobody = { viewer: null, session: null, accessToken: null, refreshToken: null, accessTokenExpiresAt: null };
const unchanged = { viewer: null };
const unstarted = { ...unchanged, secret: null, uri: null };
const optionless = { options: null };
const unconfirmed = { ...unchanged, recoveryCodes: null };
const unsuspended = { user: null, changed: false };

/** Explains to a caller who is signed out why `viewer` is null. */
const NO_VIEWER =
  'Nobody is signed in. Send the access token that register or login returned: Authorization: Bearer <accessToken>.';

/**
 * Lets the viewer see themselves as an audience does.
 * @throws `UNAUTHENTICATED`, `FORBIDDEN` for another reader, `BAD_USER_INPUT` beside other fields
 */
function seeSelfAs(
  context: RequestContext,
  userId: string,
  audience: Audience,
  { selectionSet: { selections } }: OperationDefinitionNode,
): void {
  if (requireSignedIn(context) !== userId)
    throw new RequestError('FORBIDDEN', 'With the argument "seenBy", the argument "id" is your own id.');
  // The other fields would be read at the same time, by nobody knows whose eyes.
  if (selections.length > 1 || selections[0]?.kind !== Kind.FIELD)
    throw badUserInput('A "user" with the argument "seenBy" is the only field of its operation.');
  seeAs(context, userId, audience);
}

export const resolvers = {
  Query: {
    viewer: (_query, _args, context) => {
      if (context.viewerId === null) context.notes = { viewer: NO_VIEWER };
      return viewerOf(context);
    },
    settings: (_query, _args, { config }) => settingsFor(config),
    user: (_query, { id, seenBy }, context, { operation }) => {
      const userId = keyArgument('id', id, 'User', 'a reader');
      if (seenBy != null) seeSelfAs(context, userId, seenBy, operation);
      return shownReader(context, userId);
    },
  },
  Mutation: {
    register: (_mutation, { input }, context) => mutation(nobody, () => register(context, input)),
    login: (_mutation, { input }, context) => mutation(nobody, () => login(context, input)),
    logout: (_mutation, { input }, context) => mutation({}, () => logout(context, input)),
    endSession: (_mutation, { input }, context) =>
      mutation({ session: null, ...unchanged }, () => endSessionOfViewer(context, input)),
    requestPasswordReset: (_mutation, { input }, context) => mutation({}, () => requestPasswordReset(context, input)),
    resetPassword: (_mutation, { input }, context) => mutation(nobody, () => resetPassword(context, input)),
    requestEmailVerification: (_mutation, _args, context) =>
      mutation(unchanged, () => requestEmailVerification(context)),
    verifyEmail: (_mutation, { input }, context) => mutation(unchanged, () => verifyEmail(context, input)),
    updateProfile: (_mutation, { input }, context) => mutation(unchanged, () => updateProfile(context, input)),
    updatePrivacy: (_mutation, { input }, context) => mutation(unchanged, () => updatePrivacy(context, input)),
    changeEmail: (_mutation, { input }, context) => mutation(unchanged, () => changeEmail(context, input)),
    changePassword: (_mutation, { input }, context) => mutation(unchanged, () => changePassword(context, input)),
    startTwoFactor: (_mutation, { input }, context) => mutation(unstarted, () => startTwoFactor(context, input)),
    confirmTwoFactor: (_mutation, { input }, context) => mutation(unconfirmed, () => confirmTwoFactor(context, input)),
    stopTwoFactor: (_mutation, { input }, context) => mutation(unchanged, () => stopTwoFactor(context, input)),
    startPasskey: (_mutation, { input }, context) => mutation(optionless, () => startPasskey(context, input)),
    addPasskey: (_mutation, { input }, context) => mutation(unchanged, () => addPasskey(context, input)),
    removePasskey: (_mutation, { input }, context) => mutation(unchanged, () => removePasskey(context, input)),
    startPasskeyLogin: (_mutation, _args, context) => mutation(optionless, () => startPasskeyLogin(context)),
    loginWithPasskey: (_mutation, { input }, context) => mutation(nobody, () => loginWithPasskey(context, input)),
    suspendAccount: (_mutation, { input }, context) => mutation(unsuspended, () => suspendAccount(context, input)),
    reinstateAccount: (_mutation, { input }, context) => mutation(unsuspended, () => reinstateAccount(context, input)),
    deleteAccount: (_mutation, { input }, context) => mutation({}, () => deleteAccount(context, input)),
  },
  User: {
    id: (user) => encodeId({ type: 'User', key: user.id }),
    bio: async (user, _args, context) => (await existingAccount(context, user.id)).bio,
    avatarUrl: async (user, _args, context) => shownAvatar(context, await existingAccount(context, user.id)),
    email: onlyForSelf(async (context, userId) => (await existingAccount(context, userId)).email),
    isEmailVerified: onlyForSelf(async (context, userId) => (await existingAccount(context, userId)).isEmailVerified),
    isTwoFactorEnabled: onlyForSelf(
      async (context, userId) => (await existingAccount(context, userId)).isTwoFactorEnabled,
    ),
    passkeys: onlyForSelf(passkeysOf),
    registeredAt: async (user, _args, context) => (await existingAccount(context, user.id)).registeredAt,
    isAdministrator: onlyForSelf(async (context, userId) => (await existingAccount(context, userId)).isAdministrator),
    privacy: onlyForSelf(async (context, userId) => (await privacyOf(context, userId)) ?? null),
    pendingRename: onlyForSelf(pendingRenameOf),
  },
} satisfies Resolvers;
