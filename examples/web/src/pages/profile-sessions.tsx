import { useMutation } from '@apollo/client/react';
import { Field } from '../components/field.tsx';
import { Form, useProblem } from '../components/form.tsx';
import { Section } from '../components/section.tsx';
import { EndSessionDocument, type ProfileQuery } from '../documents.generated.ts';
import { given } from '../form-values.ts';
import { momentOf } from '../format.ts';
import { notifyUnless } from '../notices.ts';

/** The places where the reader is, or was, logged in. */
export function Sessions({ sessions }: { readonly sessions: NonNullable<ProfileQuery['viewer']>['sessions'] }) {
  const [end] = useMutation(EndSessionDocument);
  const send = async (sessionId: string, values: FormData) => {
    const { data } = await end({ variables: { sessionId, password: given(values, 'password') } });
    return notifyUnless(data?.endSession.userErrors, 'The session has ended.');
  };
  return (
    <Section title="Last sessions">
      <ul className="rows" aria-label="Sessions">
        {sessions?.edges.map(({ node: { id, device, startedAt, endedAt, isCurrent } }) => (
          <li key={id}>
            <span>
              {device ?? 'Unknown device'}
              <span className="note">
                since {momentOf(startedAt)}
                {isCurrent && ', this one'}
                {endedAt && `, ended ${momentOf(endedAt)}`}
              </span>
            </span>
            {!isCurrent && !endedAt && (
              <Form
                label={`Session on ${device ?? 'an unknown device'}`}
                button="End the session"
                send={(values) => send(id, values)}
              >
                <PasswordIfAsked />
              </Form>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The password is needed only if the login was some time ago. */
function PasswordIfAsked() {
  return useProblem('password') ? (
    <Field name="password" label="Password" type="password" autoComplete="current-password" />
  ) : null;
}
