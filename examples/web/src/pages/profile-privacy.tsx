import { useMutation } from '@apollo/client/react';
import { AUDIENCES } from '../components/audiences.ts';
import { Check, Choice } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Section } from '../components/section.tsx';
import { UpdatePrivacyDocument, type Audience } from '../documents.generated.ts';
import { notifyUnless } from '../notices.ts';

interface Props {
  readonly privacy: {
    readonly likes: Audience;
    readonly readings: Audience;
    readonly takesMessages: boolean;
    readonly approvesFollowers: boolean;
  };
}

/**
 * The audiences of likes and readings, and whether others may write, and follow without asking. The
 * answer comes once no server shows more than that.
 */
export function PrivacyForm({ privacy }: Props) {
  const [update] = useMutation(UpdatePrivacyDocument);
  const send = async (values: FormData) => {
    const input = {
      likes: values.get('likes') as Audience,
      readings: values.get('readings') as Audience,
      takesMessages: values.has('takesMessages'),
      approvesFollowers: values.has('approvesFollowers'),
    };
    const { data } = await update({ variables: { input } });
    return notifyUnless(data?.updatePrivacy.userErrors, 'Your privacy is changed.');
  };
  return (
    <Section title="Privacy">
      <Form label="Privacy" button="Save the privacy" send={send}>
        <Choice name="likes" label="My likes are seen by" options={AUDIENCES} defaultValue={privacy.likes} />
        <Choice name="readings" label="My readings are seen by" options={AUDIENCES} defaultValue={privacy.readings} />
        <Check
          name="takesMessages"
          label="Readers may write to me about copies that I sell."
          defaultChecked={privacy.takesMessages}
        />
        <Check
          name="approvesFollowers"
          label="Readers ask before they follow me."
          defaultChecked={privacy.approvesFollowers}
        />
      </Form>
    </Section>
  );
}
