import { useMutation } from '@apollo/client/react';
import { Form } from '../components/form.tsx';
import { More } from '../components/more.tsx';
import { Person } from '../components/person.tsx';
import { Section } from '../components/section.tsx';
import { AcceptFollowerDocument, RemoveFollowerDocument, type FollowRequestsFragment } from '../documents.generated.ts';
import { notify } from '../notices.ts';

interface Props {
  readonly requests: FollowRequestsFragment['followRequests'];
  readonly reload: () => void;
  readonly load: (after: string) => Promise<unknown>;
}

/** The readers who ask to follow the viewer. */
export function FollowRequests({ requests, reload, load }: Props) {
  const [accept] = useMutation(AcceptFollowerDocument);
  const [decline] = useMutation(RemoveFollowerDocument);
  const send = async (answer: typeof accept | typeof decline, id: string, done: string) => {
    const problems = (await answer({ variables: { id } })).data?.change.userErrors ?? [];
    if (problems.length > 0) return problems;
    notify(done);
    reload();
    return [];
  };
  if (!requests || requests.edges.length === 0) return null;
  return (
    <Section title="Follow requests">
      <ul className="rows" aria-label="Follow requests">
        {requests.edges.map(
          ({ node }) =>
            node && (
              <li key={node.id}>
                <Person reader={node} />
                <span className="tags">
                  <Form
                    label={`Request of ${node.fullName}`}
                    button={`Accept ${node.fullName}`}
                    send={() => send(accept, node.id, `${node.fullName} follows you now.`)}
                  />
                  <Form
                    label={`Refusal of ${node.fullName}`}
                    button={`Decline ${node.fullName}`}
                    send={() => send(decline, node.id, `The request of ${node.fullName} is declined.`)}
                  />
                </span>
              </li>
            ),
        )}
      </ul>
      <More label="Show more requests" page={requests.pageInfo} load={load} />
    </Section>
  );
}
