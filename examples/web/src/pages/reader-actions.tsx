import { useApolloClient, useMutation } from '@apollo/client/react';
import { Form } from '../components/form.tsx';
import { Report } from '../components/report.tsx';
import { Section } from '../components/section.tsx';
import { BlockDocument } from '../documents.generated.ts';
import { notify } from '../notices.ts';
import { navigate } from '../router.tsx';

/** Blocking and reporting a reader. */
export function ReaderActions({ id, name }: { readonly id: string; readonly name: string }) {
  const client = useApolloClient();
  const [block] = useMutation(BlockDocument, { variables: { id } });
  const hide = async () => {
    const { data } = await block();
    const problems = data?.block.userErrors ?? [];
    if (problems.length > 0) return problems;
    notify(`${name} is blocked: you see nothing of each other. Your profile has the list of blocks.`);
    // What is cached may still show the other reader.
    await client.clearStore();
    navigate('/');
    return [];
  };
  return (
    <Section title="Something wrong?">
      <div className="columns">
        <details>
          <summary>Block {name}</summary>
          <p>You no longer see anything of each other. You can take it back on your profile.</p>
          <Form label="Block" button={`Yes, block ${name}`} send={hide} />
        </details>
        <Report id={id} label={`Report ${name}`} />
      </div>
    </Section>
  );
}
