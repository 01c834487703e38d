import type { Config } from '../config/config.ts';
import type { EmailVerification, Settings } from '../graphql/generated/schema-types.ts';
import { isMailSetUp } from '../mail/mailer.ts';

/** Returns what clients need to know of the server's settings. */
export function settingsFor(config: Config): Settings {
  return {
    passwordLengthMin: config.passwords.lengthMin,
    passkeyOrigins: [...config.passkeyOrigins],
    hasSecondFactors: config.twoFactor.keys.length > 0,
    sendsEmails: isMailSetUp(config),
    emailVerification: emailVerificationOf(config),
    avatarHosts: [...config.avatarHosts],
  };
}

function emailVerificationOf({ mail: { emailVerification } }: Config): EmailVerification {
  if (emailVerification.isRequired) return 'REQUIRED';
  return emailVerification.isAsked ? 'ASKED' : 'ON_REQUEST';
}
