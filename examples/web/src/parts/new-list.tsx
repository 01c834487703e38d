import type { ApolloCache, Reference } from '@apollo/client';
import { useMutation } from '@apollo/client/react';
import { session } from '../auth.ts';
import { AUDIENCES } from '../components/audiences.ts';
import { Choice, Field } from '../components/field.tsx';
import { CreateListDocument, type Audience, type ListSummaryFragment } from '../documents.generated.ts';
import type { Problem } from '../errors.ts';
import { text } from '../form-values.ts';

/** The fields of a list that is to be made. */
export const NewListFields = () => (
  <>
    <Field name="name" label="Name" maxLength={100} />
    <Choice name="audience" label="Who may see it" defaultValue="EVERYONE" options={AUDIENCES} />
  </>
);

/** Returns a function that makes a list by a form's values. It gives the list, or why there is none. */
export function useNewList(): (values: FormData) => Promise<ListSummaryFragment | readonly Problem[]> {
  const [create] = useMutation(CreateListDocument, {
    update: (cache, { data }) => addList(cache, data?.createList.list),
  });
  return async (values) => {
    const variables = { name: text(values, 'name'), audience: text(values, 'audience') as Audience };
    const { list, userErrors = [] } = (await create({ variables })).data?.createList ?? {};
    return list ?? userErrors;
  };
}

interface Lists {
  readonly edges: readonly { readonly node: Reference }[];
}

/** Adds a new list to the cached ones of the reader, newest first. */
function addList(cache: ApolloCache, list: ListSummaryFragment | null | undefined): void {
  const [owner, made] = [cache.identify({ __typename: 'User', id: session()?.readerId }), list && cache.identify(list)];
  if (owner === undefined || !made) return;
  cache.modify<{ lists: Lists }>({
    id: owner,
    fields: {
      lists: (lists) => {
        if (!('edges' in lists)) return lists;
        const edge = { __typename: 'BookListEdge', cursor: '', node: { __ref: made } };
        return { ...lists, edges: [edge, ...lists.edges] };
      },
    },
  });
}
