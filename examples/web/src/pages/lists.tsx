import { useQuery } from '@apollo/client/react';
import { Answer } from '../components/answer.tsx';
import { Form } from '../components/form.tsx';
import { More } from '../components/more.tsx';
import { NeedsLogin } from '../components/needs-login.tsx';
import { Page } from '../components/page.tsx';
import { SeenBy } from '../components/seen-by.tsx';
import { ListsDocument, type ListSummaryFragment } from '../documents.generated.ts';
import { counted } from '../format.ts';
import { notify } from '../notices.ts';
import { NewListFields, useNewList } from '../parts/new-list.tsx';
import { Link, navigate } from '../router.tsx';
import { useSession } from '../session.ts';

export const listPath = (id: string) => `/list/${id}`;

interface RowsProps {
  readonly label: string;
  readonly lists: readonly { readonly node: ListSummaryFragment }[];
}

/** Lists with links to them. */
export function ListRows({ label, lists }: RowsProps) {
  return (
    <ul className="rows" aria-label={label}>
      {lists.map(({ node: { id, title, audience, likeCount, entries } }) => (
        <li key={id}>
          <Link to={listPath(id)}>{title}</Link>
          <span>
            <SeenBy audience={audience} /> {counted(entries.count.value, 'book')}, {counted(likeCount, 'like')}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The reader's own lists, and a form for a new one. */
export function Lists() {
  const isReader = useSession() !== undefined;
  const { data, loading, error, fetchMore } = useQuery(ListsDocument, {
    skip: !isReader,
    fetchPolicy: 'cache-and-network',
  });
  const make = useNewList();
  const lists = data?.viewer?.lists;

  const send = async (values: FormData) => {
    const made = await make(values);
    if (!('id' in made)) return made;
    navigate(listPath(made.id));
    notify(`The list “${made.title}” is made.`);
    return [];
  };
  if (!isReader) return <NeedsLogin title="My lists" />;
  return (
    <Page title="My lists">
      <Form label="A new list" button="Make the list" send={send}>
        <NewListFields />
      </Form>
      <Answer isLoading={loading && !data} error={error}>
        {lists?.edges.length === 0 && <p>You have no list yet.</p>}
        <ListRows label="My lists" lists={lists?.edges ?? []} />
        {lists && (
          <More label="Show more lists" page={lists.pageInfo} load={(after) => fetchMore({ variables: { after } })} />
        )}
      </Answer>
    </Page>
  );
}
