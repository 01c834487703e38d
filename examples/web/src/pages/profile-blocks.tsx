import { useMutation } from '@apollo/client/react';
import { Form } from '../components/form.tsx';
import { More } from '../components/more.tsx';
import { Section } from '../components/section.tsx';
import { UnblockDocument, type ProfileQuery } from '../documents.generated.ts';
import { dayOf } from '../format.ts';
import { notify } from '../notices.ts';

interface Props {
  readonly blocked: NonNullable<ProfileQuery['viewer']>['blocked'];
  readonly reload: () => void;
  readonly load: (after: string) => Promise<unknown>;
}

/** The readers whom the viewer blocks. */
export function Blocks({ blocked, reload, load }: Props) {
  const [unblock] = useMutation(UnblockDocument);
  const send = async (id: string, name: string) => {
    const { data } = await unblock({ variables: { id } });
    const problems = data?.unblock.userErrors ?? [];
    if (problems.length > 0) return problems;
    notify(`${name} is no longer blocked.`);
    reload();
    return [];
  };
  return (
    <Section title="Blocked readers">
      {(blocked?.edges ?? []).length === 0 && <p>You block nobody.</p>}
      <ul className="rows" aria-label="Blocked readers">
        {blocked?.edges.map(({ node: { id, fullName }, blockedAt }) => (
          <li key={id}>
            <span>
              {fullName} <time dateTime={blockedAt}>{dayOf(blockedAt)}</time>
            </span>
            <Form label={`Block of ${fullName}`} button={`Unblock ${fullName}`} send={() => send(id, fullName)} />
          </li>
        ))}
      </ul>
      {blocked && <More label="Show more blocked readers" page={blocked.pageInfo} load={load} />}
    </Section>
  );
}
