import { useMutation } from '@apollo/client/react';
import { AUDIENCES } from '../components/audiences.ts';
import { Choice } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Section } from '../components/section.tsx';
import { UpdatePrivacyDocument, type Audience } from '../documents.generated.ts';
import { notifyUnless } from '../notices.ts';

interface Props {
  readonly privacy: { readonly likes: Audience; readonly readings: Audience; readonly takesMessages: boolean };
}

/**
 * The audiences of likes and readings, and whether others may write. The answer comes once no server
 * shows more than that.
 */
export function PrivacyForm({ privacy }: Props) {
  const [update] = useMutation(UpdatePrivacyDocument);
  const send = async (values: FormData) => {
    const likes = values.get('likes') as Audience;
    const readings = values.get('readings') as Audience;
    const takesMessages = values.has('takesMessages');
    const { data } = await update({ variables: { likes, readings, takesMessages } });
    return notifyUnless(data?.updatePrivacy.userErrors, 'Your privacy is changed.');
  };
  return (
    <Section title="Privacy">
      <Form label="Privacy" button="Save the privacy" send={send}>
        <Choice name="likes" label="My likes are seen by" options={AUDIENCES} defaultValue={privacy.likes} />
        <Choice name="readings" label="My readings are seen by" options={AUDIENCES} defaultValue={privacy.readings} />
        <label className="check">
          <input type="checkbox" name="takesMessages" defaultChecked={privacy.takesMessages} /> Readers may write to me
          about copies that I sell.
        </label>
      </Form>
    </Section>
  );
}
