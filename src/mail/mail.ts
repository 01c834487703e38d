/** The kinds of mails, for logs and metrics. */
export type MailKind = 'PASSWORD_RESET' | 'EMAIL_VERIFICATION' | 'NOTICE';

/**
 * A mail. No text written by a caller goes into it, since strangers could use that to send their
 * text to strangers.
 */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}
