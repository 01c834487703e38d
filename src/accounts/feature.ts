import type { Feature } from '../feature/feature.ts';
import { accounts } from './aggregate.ts';
import { accountAudit } from './audit.ts';
import { expireAccount } from './email-verification.ts';
import { personalData } from './personal-data.ts';
import { resolvers } from './resolvers.ts';
import { shownReader } from '../identity/privacy.ts';

export const feature = {
  resolvers,
  nodeTypes: { User: { find: shownReader } },
  transactions: [accounts.transaction],
  jobs: { EXPIRE: expireAccount },
  audits: [accountAudit],
  personalData,
  beforeVerified: [
    'register',
    'login',
    'startPasskeyLogin',
    'loginWithPasskey',
    'logout',
    'endSession',
    'requestEmailVerification',
    'verifyEmail',
    'changeEmail',
    'changePassword',
    'requestPasswordReset',
    'resetPassword',
    'deleteAccount',
  ],
  viewerData: {
    updateProfile: 'PROFILE',
    updatePrivacy: 'PROFILE',
    changeEmail: 'PROFILE',
    verifyEmail: 'PROFILE',
    confirmTwoFactor: 'PROFILE',
    stopTwoFactor: 'PROFILE',
    addPasskey: 'PROFILE',
    removePasskey: 'PROFILE',
  },
} satisfies Feature;
