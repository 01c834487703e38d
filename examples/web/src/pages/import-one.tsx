import { useMutation, useQuery } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { Answer } from '../components/answer.tsx';
import { NeedsLogin } from '../components/needs-login.tsx';
import { Page } from '../components/page.tsx';
import { Section } from '../components/section.tsx';
import {
  ImportDocument,
  MapImportShelfDocument,
  PublishImportedReviewsDocument,
  UndoImportDocument,
  type ImportDetailsFragment,
  type ImportFate,
  type ReadingStatus,
} from '../documents.generated.ts';
import { wordsOf } from '../format.ts';
import { notifyOf } from '../notices.ts';
import { Link } from '../router.tsx';
import { useSession } from '../session.ts';
import { ImportRows } from './import-rows.tsx';

const LOOK_MS = 1_000;
const STATUSES = ['WANT_TO_READ', 'READING', 'READ', 'GIVEN_UP'] as const satisfies readonly ReadingStatus[];

/** One import: how far it is, its shelves, and what became of each line. */
export function Import({ id }: { readonly id: string }) {
  const isReader = useSession() !== undefined;
  const { data, loading, error, startPolling, stopPolling } = useQuery(ImportDocument, {
    variables: { id },
    skip: !isReader,
    fetchPolicy: 'cache-and-network',
  });
  const found = data?.node?.__typename === 'LibraryImport' ? data.node : undefined;
  const isSettled = found?.status === 'DONE' || found?.status === 'UNDONE';
  const isUnderWay = found !== undefined && !isSettled;

  useEffect(() => {
    if (!isUnderWay) return undefined;
    startPolling(LOOK_MS);
    return stopPolling;
  }, [isUnderWay, startPolling, stopPolling]);

  if (!isReader) return <NeedsLogin title="Import" />;
  return (
    <Page title={found ? `Import from ${wordsOf(found.source)}` : 'Import'}>
      <Answer isLoading={loading && !data} error={error}>
        {!found && !error && <p>You have no such import.</p>}
        {isUnderWay && <Progress of={found} />}
        {found && isSettled && <Settled key={found.status} of={found} />}
      </Answer>
    </Page>
  );
}

function Progress({ of: { lines, pending, status } }: { readonly of: ImportDetailsFragment }) {
  const done = status === 'UNDOING' ? pending : lines - pending;
  return (
    <p role="status">
      <progress value={done} max={lines} aria-label="Lines done" /> {done.toLocaleString('en')} of{' '}
      {lines.toLocaleString('en')} lines
    </p>
  );
}

function Settled({ of: found }: { readonly of: ImportDetailsFragment }) {
  const [fate, setFate] = useState<ImportFate>(found.ambiguous > 0 ? 'AMBIGUOUS' : 'MATCHED');
  if (found.status === 'UNDONE')
    return (
      <p>
        This import was undone. <Link to="/import">Send the file again</Link> to import it anew.
      </p>
    );
  const counts: readonly (readonly [ImportFate, string, number])[] = [
    ['MATCHED', 'On your shelves', found.matched],
    ['AMBIGUOUS', 'Which book is it?', found.ambiguous],
    ['UNLISTED', 'Not in the catalogue', found.unlisted],
    ['NOT_KEPT', 'Left as it was', found.notKept],
    ['FAILED', 'Unreadable', found.failed],
  ];
  return (
    <>
      <OwnShelves of={found} />
      <OwnReviews of={found} />
      <nav aria-label="Fates" className="tags">
        {counts.map(([name, label, count]) => (
          <button key={name} aria-pressed={name === fate} onClick={() => setFate(name)}>
            {label}: {count.toLocaleString('en')}
          </button>
        ))}
      </nav>
      <ImportRows key={`${fate} ${found[COUNT_OF[fate]]}`} importId={found.id} fate={fate} />
      <Undo id={found.id} />
    </>
  );
}

/** The field of an import with the number of lines of a fate. */
const COUNT_OF = {
  PENDING: 'pending',
  MATCHED: 'matched',
  AMBIGUOUS: 'ambiguous',
  UNLISTED: 'unlisted',
  NOT_KEPT: 'notKept',
  FAILED: 'failed',
} as const satisfies Record<ImportFate, keyof ImportDetailsFragment>;

/** The shelves whose status only the reader knows. */
function OwnShelves({ of: { id, shelves } }: { readonly of: ImportDetailsFragment }) {
  const [map] = useMutation(MapImportShelfDocument);
  const own = shelves.filter(({ becomes }) => becomes === null);
  if (own.length === 0) return null;

  const choose = (shelf: string, becomes: string) =>
    notifyOf(
      map({ variables: { importId: id, shelf, becomes: becomes as ReadingStatus } }),
      `The books of “${shelf}” are on your shelves.`,
    );
  return (
    <Section title="Shelves of your own">
      <ul className="rows">
        {own.map(({ name, lines }) => (
          <li key={name}>
            <label>
              {name} ({lines.toLocaleString('en')}) means{' '}
              <select defaultValue="" onChange={(event) => void choose(name, event.currentTarget.value)}>
                <option value="" disabled>
                  choose …
                </option>
                {STATUSES.map((status) => (
                  <option key={status} value={status}>
                    {wordsOf(status)}
                  </option>
                ))}
              </select>
            </label>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The reviews in the file, which nobody else sees until the reader says so. */
function OwnReviews({ of: { id, reviews, publishesReviews } }: { readonly of: ImportDetailsFragment }) {
  const [publish, { loading }] = useMutation(PublishImportedReviewsDocument);
  if (reviews === 0 || publishesReviews) return null;

  const send = () => notifyOf(publish({ variables: { importId: id } }), 'Your reviews are published.');
  return (
    <Section title="Your reviews">
      <p>
        The file has {reviews === 1 ? 'a review' : `${reviews.toLocaleString('en')} reviews`}. Others see them only if
        you publish them here.
      </p>
      <button aria-disabled={loading} onClick={() => void send()}>
        Publish my reviews
      </button>
    </Section>
  );
}

function Undo({ id }: { readonly id: string }) {
  const [undo, { loading }] = useMutation(UndoImportDocument);
  const send = () => notifyOf(undo({ variables: { importId: id } }), 'The import is undone.');
  return (
    <p>
      <button aria-disabled={loading} onClick={() => void send()}>
        Undo this import
      </button>
    </p>
  );
}
