/** The kinds of mails, for logs and metrics. */
export type MailKind = 'PASSWORD_RESET' | 'EMAIL_VERIFICATION' | 'NOTICE' | 'MESSAGE';

/**
 * A mail. Its subject contains no text of a caller. Its text contains one only if it is a message
 * to a reader who receives messages and has verified the address: otherwise strangers could send
 * their texts to anybody.
 */
export interface Mail {
  readonly to: string;
  /** The email that gets the answer; unset if nobody does. */
  readonly replyTo?: string;
  readonly subject: string;
  readonly text: string;
}
