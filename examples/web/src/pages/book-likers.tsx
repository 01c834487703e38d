import { Face } from '../components/face.tsx';
import { More } from '../components/more.tsx';
import { Names } from '../components/names.tsx';
import { readerPath } from '../components/person.tsx';
import { Section } from '../components/section.tsx';
import type { BookPageFragment } from '../documents.generated.ts';
import { dayOf } from '../format.ts';
import { Link } from '../router.tsx';

interface Props {
  readonly book: BookPageFragment;
  readonly load: (after: string) => Promise<unknown>;
}

/** The readers who like a book. Those who hide their likes are counted all the same. */
export function Likers({ book: { likeCount, knownLikers, likers }, load }: Props) {
  return (
    <Section title={`Liked by ${likeCount.toLocaleString('en')}`}>
      {likers.edges.length === 0 && <p>Nobody likes this book yet.</p>}
      {knownLikers.count > 0 && (
        <p>
          You follow <Names readers={knownLikers.nodes} count={knownLikers.count} /> of them.
        </p>
      )}
      <ul className="faces" aria-label="Likers">
        {likers.edges.map(({ cursor, node, likedAt }) => (
          <li key={node?.id ?? cursor}>
            {node ? (
              <Link to={readerPath(node.id)}>
                <Face name={node.fullName} url={node.avatarUrl} note={dayOf(likedAt)} />
              </Link>
            ) : (
              <Face name="A reader who shows no likes" url={null} note={dayOf(likedAt)} />
            )}
          </li>
        ))}
      </ul>
      <More label="Show more likers" page={likers.pageInfo} load={load} />
    </Section>
  );
}
