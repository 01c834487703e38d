import { useMutation } from '@apollo/client/react';
import { ContactSellerDocument } from '../documents.generated.ts';
import { text } from '../form-values.ts';
import { notifyUnless } from '../notices.ts';
import { TextArea } from './field.tsx';
import { Form } from './form.tsx';

interface Props {
  readonly itemId: string;
  readonly title: string;
}

/** A message to the seller of a copy, folded away below it. The seller answers by mail. */
export function WriteToSeller({ itemId, title }: Props) {
  const [contact] = useMutation(ContactSellerDocument);
  const send = async (values: FormData) => {
    const showsMyEmail = values.has('showsMyEmail');
    const { data } = await contact({ variables: { itemId, message: text(values, 'message'), showsMyEmail } });
    return notifyUnless(data?.contactSeller.userErrors, 'Your message is on its way. The seller answers by email.');
  };
  return (
    <details>
      <summary>
        Write to the seller<span className="hidden"> of {title}</span>
      </summary>
      <Form label={`Message about ${title}`} button="Send the message" send={send}>
        <TextArea name="message" label="Message" rows={4} />
        <label className="check">
          <input type="checkbox" name="showsMyEmail" /> The seller may see my email address, to answer me.
        </label>
      </Form>
    </details>
  );
}
