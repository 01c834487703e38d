import { useMutation } from '@apollo/client/react';
import { useState } from 'react';
import { renameSession } from '../auth.ts';
import { Field, TextArea } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Section } from '../components/section.tsx';
import {
  RequestEmailVerificationDocument,
  UpdateProfileDocument,
  type ProfileQuery,
  type ServerSettingsFragment,
} from '../documents.generated.ts';
import { given, text } from '../form-values.ts';
import { notify } from '../notices.ts';
import { OpenIt } from '../parts/mailed-token.tsx';

interface Props {
  readonly viewer: NonNullable<ProfileQuery['viewer']>;
  /** The hosts that a picture may come from, without which there is no field for it, and whether emails are sent. */
  readonly settings: ServerSettingsFragment | undefined;
}

/** The name, the picture and the text that everyone sees, and the email address with its verification. */
export function NameForms({ viewer, settings }: Props) {
  const { avatarHosts = [], sendsEmails = true } = settings ?? {};
  const [update] = useMutation(UpdateProfileDocument);
  const [verify] = useMutation(RequestEmailVerificationDocument);
  const [isAsked, setAsked] = useState(false);
  const rename = async (values: FormData) => {
    const input = {
      fullName: text(values, 'fullName'),
      bio: given(values, 'bio') ?? null,
      ...(avatarHosts.length > 0 && { avatarUrl: given(values, 'avatarUrl') ?? null }),
    };
    const result = (await update({ variables: { input } })).data?.updateProfile;
    if (result?.viewer) {
      renameSession(result.viewer.fullName);
      notify('Your profile is changed.');
    }
    return result?.userErrors ?? [];
  };
  const ask = async () => {
    const problems = (await verify()).data?.requestEmailVerification.userErrors ?? [];
    setAsked(problems.length === 0);
    return problems;
  };
  return (
    <Section title="Profile and email">
      <div className="columns">
        <Form label="Profile" button="Save the profile" send={rename}>
          <Field name="fullName" label="Full name" autoComplete="name" defaultValue={viewer.fullName} />
          <TextArea
            name="bio"
            label="About me"
            rows={3}
            defaultValue={viewer.bio ?? ''}
            hint="Everyone sees this text, of at most 500 characters."
          />
          {avatarHosts.length > 0 && (
            <Field
              name="avatarUrl"
              label="Link to my picture"
              type="url"
              defaultValue={viewer.avatarUrl ?? ''}
              hint={`A picture on ${avatarHosts.join(' or ')}, which everyone sees.`}
            />
          )}
        </Form>
        <div>
          <p>
            {viewer.email}
            <span className="note"> {viewer.isEmailVerified ? 'verified' : 'not verified'}</span>
          </p>
          {!viewer.isEmailVerified && sendsEmails && (
            <Form label="Verification" button="Verify the address" send={ask} />
          )}
          <div role="status">
            {isAsked && !viewer.isEmailVerified && (
              <p>
                An email to {viewer.email} is on its way. <OpenIt page="/verify" />
              </p>
            )}
          </div>
        </div>
      </div>
    </Section>
  );
}
