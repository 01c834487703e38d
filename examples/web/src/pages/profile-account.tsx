import { useMutation } from '@apollo/client/react';
import { useState } from 'react';
import { forgetSession } from '../auth.ts';
import { CodeField } from '../components/code-field.tsx';
import { Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Section } from '../components/section.tsx';
import { ChangeEmailDocument, ChangePasswordDocument, DeleteAccountDocument } from '../documents.generated.ts';
import { forgetDrafts } from '../drafts.ts';
import { given, text } from '../form-values.ts';
import { notify, notifyUnless } from '../notices.ts';
import { OpenIt } from '../parts/mailed-token.tsx';
import { NewPassword } from '../parts/new-password.tsx';
import { navigate } from '../router.tsx';

interface Props {
  readonly email: string;
  /** Whether the server sends an email to each new address. */
  readonly isAskedToVerify: boolean;
  /** Asks again for the account, since another password ends sessions. */
  readonly reload: () => void;
}

/** What the password confirms: another email address, another password, the end of the account. */
export function AccountForms({ email: current, isAskedToVerify, reload }: Props) {
  const [asked, setAsked] = useState<string>();
  const [changeEmail] = useMutation(ChangeEmailDocument);
  const [changePassword] = useMutation(ChangePasswordDocument);
  const [deleteAccount] = useMutation(DeleteAccountDocument);
  const confirmed = (values: FormData) => ({ password: text(values, 'password'), code: given(values, 'code') });

  const sendEmail = async (values: FormData) => {
    const email = text(values, 'email').trim();
    const { data } = await changeEmail({ variables: { email, ...confirmed(values) } });
    const { viewer, userErrors = [] } = data?.changeEmail ?? {};
    if (!viewer) return userErrors;
    const isFormer = viewer.email === current;
    const isAsked = isFormer && email.toLowerCase() !== current;
    setAsked(isAsked ? email : undefined);
    if (isFormer && !isAsked) notify(`You log in as ${current}, as before.`);
    if (!isFormer)
      notify(
        `You log in as ${viewer.email} now.` +
          (isAskedToVerify ? ' An email is on its way, by which you verify the address.' : ''),
      );
    return [];
  };
  const sendPassword = async (values: FormData) => {
    const newPassword = text(values, 'newPassword');
    const { data } = await changePassword({ variables: { newPassword, ...confirmed(values) } });
    const problems = data?.changePassword.userErrors ?? [];
    if (problems.length === 0) reload();
    return notifyUnless(problems, 'Your password is changed, and all other sessions have ended.');
  };
  const end = async (values: FormData) => {
    const { data } = await deleteAccount({ variables: confirmed(values) });
    const problems = data?.deleteAccount.userErrors ?? [];
    if (problems.length > 0) return problems;
    forgetDrafts();
    forgetSession();
    notify('Your account is deleted.');
    navigate('/');
    return [];
  };
  const password = (
    <>
      <Field name="password" label="Current password" type="password" autoComplete="current-password" />
      <CodeField />
    </>
  );
  return (
    <Section title="Account">
      <details>
        <summary>Change the email address</summary>
        <Form label="Email address" button="Change the address" send={sendEmail}>
          <Field name="email" label="New email" type="email" autoComplete="email" />
          {password}
        </Form>
        <div role="status">
          {asked !== undefined && (
            <p>
              An email to {asked} is on its way. <OpenIt page="/verify" /> Until then you log in as {current}.
            </p>
          )}
        </div>
      </details>
      <details>
        <summary>Change the password</summary>
        <Form label="Password" button="Change the password" send={sendPassword}>
          {password}
          <NewPassword name="newPassword" label="New password" />
        </Form>
      </details>
      <details>
        <summary>Delete the account</summary>
        <p>
          Your likes, shelves, ratings, reviews, lists and copies go with it, and nobody can bring them back. You can
          download them first.
        </p>
        <Form label="Deletion" button="Delete my account for ever" send={end}>
          {password}
        </Form>
      </details>
    </Section>
  );
}
