import { useQuery } from '@apollo/client/react';
import { Answer } from '../components/answer.tsx';
import { More } from '../components/more.tsx';
import { Page } from '../components/page.tsx';
import { Person, readerPath } from '../components/person.tsx';
import { FollowersDocument, FollowingDocument, type PersonFragment } from '../documents.generated.ts';
import { dayOf } from '../format.ts';
import { Link } from '../router.tsx';

interface Props {
  readonly id: string;
}

/** The readers who follow a reader, last follow first. */
export function Followers({ id }: Props) {
  const { data, error, fetchMore } = useQuery(FollowersDocument, {
    variables: { id },
    fetchPolicy: 'cache-and-network',
  });
  const reader = data?.user;
  return (
    <Follows
      title={reader ? `Followers of ${reader.fullName}` : 'Followers'}
      reader={reader}
      follows={reader?.followers}
      none={`Nobody follows ${reader?.fullName} yet.`}
      error={error}
      load={(after) => fetchMore({ variables: { after } })}
    />
  );
}

/** The readers whom a reader follows, last follow first. */
export function Following({ id }: Props) {
  const { data, error, fetchMore } = useQuery(FollowingDocument, {
    variables: { id },
    fetchPolicy: 'cache-and-network',
  });
  const reader = data?.user;
  return (
    <Follows
      title={reader ? `Followed by ${reader.fullName}` : 'Followed'}
      reader={reader}
      follows={reader?.following}
      none={`${reader?.fullName} follows nobody yet.`}
      error={error}
      load={(after) => fetchMore({ variables: { after } })}
    />
  );
}

interface FollowList {
  readonly edges: readonly {
    readonly cursor: string;
    readonly followedAt: string;
    /** Null for somebody who is hidden from the one who looks. */
    readonly node: PersonFragment | null;
  }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

interface FollowsProps {
  readonly title: string;
  /** Null if there is no such reader, undefined until the answer is there. */
  readonly reader: { readonly id: string; readonly fullName: string } | null | undefined;
  /** Null if the reader does not show them to the one who looks. */
  readonly follows: FollowList | null | undefined;
  /** The text for an empty list. */
  readonly none: string;
  readonly error: unknown;
  readonly load: (after: string) => Promise<unknown>;
}

function Follows({ title, reader, follows, none, error, load }: FollowsProps) {
  return (
    <Page title={title}>
      <Answer isLoading={reader === undefined && !error} error={error}>
        {reader === null && !error && <p>There is no such reader.</p>}
        {reader && (
          <p>
            <Link to={readerPath(reader.id)}>More of {reader.fullName}</Link>
          </p>
        )}
        {reader && follows === null && <p>{reader.fullName} does not show whom they follow.</p>}
        {follows?.edges.length === 0 && <p>{none}</p>}
        <ul className="rows" aria-label={title}>
          {follows?.edges.map(({ cursor, node, followedAt }) => (
            <li key={node?.id ?? cursor}>
              {node ? <Person reader={node} /> : 'A reader who shows no likes'}
              <time dateTime={followedAt}>{dayOf(followedAt)}</time>
            </li>
          ))}
        </ul>
        {follows && <More isLast label="Show more readers" page={follows.pageInfo} load={load} />}
      </Answer>
    </Page>
  );
}
