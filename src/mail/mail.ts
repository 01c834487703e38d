/** The kinds of mails, for logs and metrics. */
export type MailKind = 'PASSWORD_RESET' | 'EMAIL_VERIFICATION' | 'NOTICE';

/**
 * A mail. It contains no text of a caller, because strangers could use that to send their texts to
 * others.
 */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}
