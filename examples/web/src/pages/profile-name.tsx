import { useMutation } from '@apollo/client/react';
import { renameSession } from '../auth.ts';
import { Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Section } from '../components/section.tsx';
import { RequestEmailVerificationDocument, UpdateProfileDocument, type ProfileQuery } from '../documents.generated.ts';
import { text } from '../form-values.ts';
import { notify } from '../notices.ts';

/** The name that everyone sees, and the email address with its verification. */
export function NameForms({ viewer }: { readonly viewer: NonNullable<ProfileQuery['viewer']> }) {
  const [update] = useMutation(UpdateProfileDocument);
  const [verify] = useMutation(RequestEmailVerificationDocument);
  const rename = async (values: FormData) => {
    const result = (await update({ variables: { fullName: text(values, 'fullName') } })).data?.updateProfile;
    if (result?.viewer) {
      renameSession(result.viewer.fullName);
      notify('Your name is changed.');
    }
    return result?.userErrors ?? [];
  };
  const ask = async () => {
    const problems = (await verify()).data?.requestEmailVerification.userErrors ?? [];
    if (problems.length === 0) notify('An email is on its way.');
    return problems;
  };
  return (
    <Section title="Name and email">
      <div className="columns">
        <Form label="Name" button="Change the name" send={rename}>
          <Field name="fullName" label="Full name" autoComplete="name" defaultValue={viewer.fullName} />
        </Form>
        <div>
          <p>
            {viewer.email}
            <span className="note"> {viewer.isEmailVerified ? 'verified' : 'not verified'}</span>
          </p>
          {!viewer.isEmailVerified && <Form label="Verification" button="Verify the address" send={ask} />}
        </div>
      </div>
    </Section>
  );
}
