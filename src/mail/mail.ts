/** What mails are about, for logs and metrics. */
export type MailKind = 'PASSWORD_RESET' | 'EMAIL_VERIFICATION' | 'NOTICE';

/** A mail. Nothing that a caller has written goes into its text: strangers would have it sent to strangers. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}
