import { useMutation } from '@apollo/client/react';
import { Check, TextArea } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { ContactSellerDocument } from '../documents.generated.ts';
import { text } from '../form-values.ts';
import { notifyUnless } from '../notices.ts';
import { useSettings } from './settings.ts';

interface Props {
  readonly itemId: string;
  readonly title: string;
}

/** A message to the seller of a copy, who answers by mail. */
export function MessageForm({ itemId, title }: Props) {
  const settings = useSettings();
  const [contact] = useMutation(ContactSellerDocument);
  const send = async (values: FormData) => {
    const showsMyEmail = values.has('showsMyEmail');
    const { data } = await contact({ variables: { itemId, message: text(values, 'message'), showsMyEmail } });
    return notifyUnless(data?.contactSeller.userErrors, 'Your message is on its way. The seller answers by email.');
  };
  if (settings?.sendsEmails === false)
    return <p>This library sends no emails, so sellers cannot be written to here.</p>;
  return (
    <Form label={`Message about ${title}`} button="Send the message" send={send}>
      <p className="note">The seller answers by email, so a message is sent only if they may see your address.</p>
      <TextArea name="message" label="Message" rows={4} />
      <Check name="showsMyEmail" required label="The seller may see my email address, to answer me (required)." />
    </Form>
  );
}
