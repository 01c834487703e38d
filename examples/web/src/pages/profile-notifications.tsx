import { useMutation } from '@apollo/client/react';
import { Check } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Section } from '../components/section.tsx';
import { UpdateNotificationSettingsDocument, type NotificationSettingsFragment } from '../documents.generated.ts';
import { notifyUnless } from '../notices.ts';

type Settings = NonNullable<NotificationSettingsFragment['notificationSettings']>;
type Kind = Exclude<keyof Settings, '__typename' | 'isPushed'>;

const KINDS: readonly (readonly [kind: Kind, text: string])[] = [
  ['followed', 'Readers follow me.'],
  ['reviewLiked', 'Readers like a review of mine.'],
  ['listLiked', 'Readers like a list of mine.'],
  ['importEnded', 'An import of my library has ended.'],
];

/** The kinds of news that the reader gets. */
export function NotificationsForm({ settings }: { readonly settings: Settings }) {
  const [update] = useMutation(UpdateNotificationSettingsDocument);
  const send = async (values: FormData) => {
    const input = Object.fromEntries(KINDS.map(([kind]) => [kind, values.has(kind)]));
    const { data } = await update({ variables: { input } });
    return notifyUnless(data?.updateNotificationSettings.userErrors, 'Your notifications are changed.');
  };
  return (
    <Section title="Notifications">
      <Form label="Notifications" button="Save the notifications" send={send}>
        {KINDS.map(([kind, text]) => (
          <Check key={kind} name={kind} label={text} defaultChecked={settings[kind]} />
        ))}
      </Form>
    </Section>
  );
}
