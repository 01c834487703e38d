import { useMutation } from '@apollo/client/react';
import { Form } from '../components/form.tsx';
import { Section } from '../components/section.tsx';
import { AddPushSubscriptionDocument, RemovePushSubscriptionDocument } from '../documents.generated.ts';
import { notifyUnless } from '../notices.ts';
import { subscribe, unsubscribe, whyUnpushable } from './push.ts';

interface Props {
  /** The server's key; unset if it pushes no news. */
  readonly publicKey: string | undefined;
  readonly isPushed: boolean;
}

/** Switches on and off that this browser shows news while the library is closed. */
export function PushForm({ publicKey, isPushed }: Props) {
  const [add] = useMutation(AddPushSubscriptionDocument);
  const [remove] = useMutation(RemovePushSubscriptionDocument);
  const start = async () => {
    const input = await subscribe(publicKey ?? '');
    const { data } = await add({ variables: { input } });
    return notifyUnless(data?.addPushSubscription.userErrors, 'This device shows news.');
  };
  const stop = async () => {
    const { data } = await remove();
    await unsubscribe();
    return notifyUnless(data?.removePushSubscription.userErrors, 'This device shows no news any more.');
  };

  const why = isPushed ? undefined : whyUnpushable(publicKey);
  return (
    <Section title="News on this device">
      {why !== undefined && <p>{why}</p>}
      {why === undefined && !isPushed && (
        <Form label="News on this device" button="Show news on this device" send={start}>
          <p>It says what kind of news there is, and no names, even while the library is closed.</p>
        </Form>
      )}
      {isPushed && (
        <Form label="News on this device" button="Show no more news on this device" send={stop}>
          <p>This device shows news of the kinds above until you log out.</p>
        </Form>
      )}
    </Section>
  );
}
