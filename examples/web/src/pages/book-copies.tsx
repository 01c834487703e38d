import { Copy } from '../components/copy.tsx';
import { More } from '../components/more.tsx';
import type { BookCopiesFragment } from '../documents.generated.ts';

interface Props {
  readonly book: BookCopiesFragment;
  readonly load: (after: string) => Promise<unknown>;
}

/** The copies of a book that readers sell, last listed first. */
export function Copies({ book: { copies }, load }: Props) {
  return (
    <>
      {copies.edges.length === 0 && <p>Nobody sells a copy right now.</p>}
      <ul className="rows" aria-label="Copies">
        {copies.edges.map(({ node }) => (
          <Copy key={node.id} copy={node} title={node.title} />
        ))}
      </ul>
      <More label="Show more copies" page={copies.pageInfo} load={load} />
    </>
  );
}
