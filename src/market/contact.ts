import { LINK_ID } from '../config/settings.ts';
import type { RequestContext } from '../context/context.ts';
import { UserError, invalidInput } from '../graphql/errors.ts';
import { encodeId, uuidOf } from '../graphql/ids.ts';
import { readInput, shownInput } from '../graphql/inputs.ts';
import { accountById, requireVerifiedEmail, requireViewer, type Account } from '../identity/operations.ts';
import type { Mail } from '../mail/mail.ts';
import { mailer, requireMail } from '../mail/mailer.ts';
import { admitMessage, isDone, recordDone } from '../throttling/operations.ts';
import { DAY_SECONDS } from '../time/units.ts';
import { itemIdInput } from './inputs.ts';
import { noCopy, shownItem, type Item } from './operations.ts';

/** Messages of readers to the seller of a copy, as mails that the seller answers by mail. */

const MESSAGE_LENGTH_MAX = 2_000;

/**
 * Sends the seller of a copy a message of the viewer. The message is recorded after the mailer has
 * it, so a repeated call may send it twice, but never not at all.
 * @throws {UserError} `INVALID_INPUT` about fields that cannot be used, `MAIL_NOT_SET_UP`,
 *   `EMAIL_NOT_VERIFIED`, `RATE_LIMITED`; `NOT_FOUND` and `FORBIDDEN` about `itemId`
 */
export async function contactSeller(
  context: RequestContext,
  input: { itemId: string; message: string; showsMyEmail: boolean },
): Promise<{ item: Item }> {
  const viewer = await requireViewer(context);
  const { itemId, message } = readInput({
    itemId: () => itemIdInput(input.itemId),
    message: () => shownInput(['message'], 'A message', input.message, MESSAGE_LENGTH_MAX, 'KEPT'),
    showsMyEmail: () => consentInput(input.showsMyEmail),
  });
  requireMail(context);
  // Otherwise the answer would be sent to the email of another person.
  await requireVerifiedEmail(context);

  const item = await shownItem(context, itemId);
  if (!item) throw noCopy();
  if (item.sellerId === viewer.id) throw invalidInput(['itemId'], 'This is your own copy.');
  if (item.status !== 'FOR_SALE') throw invalidInput(['itemId'], 'This copy is not for sale any more.');
  const seller = item.sellerId === null ? null : await accountById(context, item.sellerId);
  // A seller who never verified the email may have given that of another person.
  if (!seller?.takesMessages || !seller.isEmailVerified)
    throw new UserError('FORBIDDEN', 'This seller takes no messages.', ['input', 'itemId']);

  const name = `message ${uuidOf(`message ${viewer.id} ${itemId} ${message}`)}`;
  if (await isDone(context, name)) return { item };
  await admitMessage(context, viewer.id);
  const mail = mailOf(context, { item, seller, viewer, message });
  mailer(context).post('MESSAGE', seller.email, () => Promise.resolve(mail));
  await recordDone(context, name, DAY_SECONDS);
  return { item };
}

function consentInput(showsMyEmail: boolean): true {
  if (showsMyEmail) return true;
  throw invalidInput(
    ['showsMyEmail'],
    'The seller answers by mail. Allow them to see your email address, or do not write to them.',
  );
}

/** Makes the mail of a message. Its lines are quoted, so that none looks like the library's. */
function mailOf(
  { config }: RequestContext,
  { item, seller, viewer, message }: { item: Item; seller: Account; viewer: Account; message: string },
): Mail {
  const readerId = encodeId({ type: 'User', key: viewer.id });
  const place =
    config.mail.readerUrl === undefined
      ? `the app, which knows them by the id ${readerId}`
      : `their page:\n\n${config.mail.readerUrl.replace(LINK_ID, readerId)}`;
  const quoted = message.split('\n').map((line) => `> ${line}`.trimEnd());
  const text = `${viewer.fullName} writes about your copy of “${item.title}”:

${quoted.join('\n')}

Answer this mail to write to them at ${viewer.email}. They then see your email address.

The library has not read this message. To report its sender, or to block them, go to ${place}

To get no more messages, change your privacy in the app.
`;
  return { to: seller.email, replyTo: viewer.email, subject: 'A reader writes about your copy of a book', text };
}
