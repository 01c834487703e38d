import { useMutation } from '@apollo/client/react';
import { CodeField } from '../components/code-field.tsx';
import { Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Section } from '../components/section.tsx';
import {
  AddPasskeyDocument,
  RemovePasskeyDocument,
  StartPasskeyDocument,
  type AccountResultFragment,
} from '../documents.generated.ts';
import { given, text } from '../form-values.ts';
import { dayOf } from '../format.ts';
import { notifyUnless } from '../notices.ts';
import { createPasskey } from '../passkeys.ts';

interface Props {
  readonly passkeys: NonNullable<NonNullable<AccountResultFragment['viewer']>['passkeys']>;
  /** False if this page cannot ask for passkeys. Those that there are can be removed all the same. */
  readonly canAdd: boolean;
}

/** The passkeys that the reader can log in with. */
export function Passkeys({ passkeys, canAdd }: Props) {
  const [start] = useMutation(StartPasskeyDocument);
  const [add] = useMutation(AddPasskeyDocument);
  const [remove] = useMutation(RemovePasskeyDocument);
  const confirmed = (values: FormData) => ({ password: text(values, 'password'), code: given(values, 'code') });
  const create = async (values: FormData) => {
    const { options, userErrors } = (await start({ variables: confirmed(values) })).data?.startPasskey ?? {};
    if (!options) return userErrors ?? [];
    const response = await createPasskey(options);
    const { data } = await add({ variables: { name: text(values, 'name'), response } });
    return notifyUnless(data?.addPasskey.userErrors, 'The passkey is added.');
  };
  const forget = async (credentialId: string, values: FormData) => {
    const { data } = await remove({ variables: { credentialId, ...confirmed(values) } });
    return notifyUnless(data?.removePasskey.userErrors, 'The passkey is removed.');
  };
  return (
    <Section title="Passkeys">
      <ul className="rows" aria-label="Passkeys">
        {passkeys.map(({ credentialId, name, createdAt }) => (
          <li key={credentialId}>
            <span>
              {name} <time dateTime={createdAt}>since {dayOf(createdAt)}</time>
            </span>
            <details>
              <summary>
                Remove<span className="hidden"> {name}</span>
              </summary>
              <Form
                label={`Passkey ${name}`}
                button="Remove the passkey"
                send={(values) => forget(credentialId, values)}
              >
                <Field name="password" label="Password" type="password" autoComplete="current-password" />
                <CodeField />
              </Form>
            </details>
          </li>
        ))}
      </ul>
      {canAdd && (
        <details>
          <summary>Add a passkey</summary>
          <Form label="New passkey" button="Create the passkey" send={create}>
            <Field name="name" label="Name of the passkey" defaultValue="My device" />
            <Field name="password" label="Password" type="password" autoComplete="current-password" />
            <CodeField />
          </Form>
        </details>
      )}
    </Section>
  );
}
