import { useMutation, useQuery } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { Answer } from '../components/answer.tsx';
import { Choices } from '../components/choices.tsx';
import { Choice } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { NeedsLogin } from '../components/needs-login.tsx';
import { Page } from '../components/page.tsx';
import { Section } from '../components/section.tsx';
import {
  ImportDocument,
  ImportRowsDocument,
  MapImportShelfDocument,
  PublishImportedReviewsDocument,
  UndoImportDocument,
  type ImportDetailsFragment,
  type ImportFate,
  type ReadingStatus,
} from '../documents.generated.ts';
import { counted, wordsOf } from '../format.ts';
import { notifyOf, notifyUnless } from '../notices.ts';
import { Link } from '../router.tsx';
import { useSession } from '../session.ts';
import { fatesOf, SOURCES } from './import-fates.ts';
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
    <Page title={found ? `Import from ${SOURCES[found.source]}` : 'Import'}>
      <Answer isLoading={loading && !data} error={error}>
        {!found && !error && <p>You have no such import.</p>}
        {isUnderWay && <Progress of={found} />}
        {found?.status === 'RECEIVING' && <CutOff of={found} />}
        {found && isSettled && <Settled key={found.status} of={found} />}
      </Answer>
    </Page>
  );
}

function Progress({ of: { lines, progress } }: { readonly of: ImportDetailsFragment }) {
  const done = Math.floor(progress * lines);
  return (
    <p role="status">
      <progress value={progress} aria-label="Lines done" /> {done.toLocaleString('en')} of {lines.toLocaleString('en')}{' '}
      lines
    </p>
  );
}

/** An import whose file is not there yet as a whole, which stays so if the upload was cut off. */
function CutOff({ of: found }: { readonly of: ImportDetailsFragment }) {
  return (
    <>
      <p>
        The file is still arriving. If the upload was cut off, <Link to="/import">send the file again</Link>, or undo
        the import.
      </p>
      <Undo of={found} />
    </>
  );
}

function Settled({ of: found }: { readonly of: ImportDetailsFragment }) {
  const counts = fatesOf(found);
  const [fate, setFate] = useState(() => firstToShow(counts));
  if (found.status === 'UNDONE')
    return (
      <p>
        This import was undone. <Link to="/import">Send the file again</Link> to import it anew.
      </p>
    );
  return (
    <>
      <OwnShelves of={found} />
      <OwnReviews of={found} />
      <Choices
        label="Lines to show"
        options={counts.map(([name, label, count]) => [name, `${label}: ${count.toLocaleString('en')}`])}
        chosen={fate}
        choose={setFate}
      />
      <ImportRows key={fate} of={found} fate={fate} />
      <Undo of={found} />
    </>
  );
}

/** Returns the fate that the reader has something to do about, or else the first that a line has. */
function firstToShow(counts: ReturnType<typeof fatesOf>): ImportFate {
  const there = counts.filter(([, , count]) => count > 0).map(([fate]) => fate);
  return there.find((fate) => fate === 'AMBIGUOUS') ?? there[0] ?? 'MATCHED';
}

/** The shelves whose status only the reader knows. */
function OwnShelves({ of: { id, shelves } }: { readonly of: ImportDetailsFragment }) {
  const own = shelves.filter(({ isOwn }) => isOwn);
  if (own.length === 0) return null;

  return (
    <Section title="Shelves of your own">
      <ul className="rows">
        {own.map((shelf) => (
          <li key={shelf.name}>
            <OwnShelf importId={id} {...shelf} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface OwnShelfProps {
  readonly importId: string;
  readonly name: string;
  readonly lines: number;
  readonly becomes: ReadingStatus | null;
}

/** The choice is sent by a button: the keys of an arrow choose each status on the way to another. */
function OwnShelf({ importId, name, lines, becomes: before }: OwnShelfProps) {
  const [map] = useMutation(MapImportShelfDocument, { refetchQueries: [ImportRowsDocument] });
  const send = async (values: FormData) => {
    const becomes = values.get('becomes') as ReadingStatus;
    const { data } = await map({ variables: { importId, shelf: name, becomes } });
    return notifyUnless(data?.change.userErrors, `The books of “${name}” go on the shelf “${wordsOf(becomes)}”.`);
  };
  return (
    <Form label={`Shelf ${name}`} button="Put them there" send={send}>
      <Choice
        name="becomes"
        label={`${name} (${lines.toLocaleString('en')}) means`}
        options={STATUSES.map((status) => [status, wordsOf(status)])}
        defaultValue={before ?? undefined}
      />
    </Form>
  );
}

/** The reviews in the file, which nobody else sees until the reader says so. */
function OwnReviews({ of: { id, reviews, publishesReviews } }: { readonly of: ImportDetailsFragment }) {
  const [publish, { loading }] = useMutation(PublishImportedReviewsDocument, {
    refetchQueries: [ImportRowsDocument],
  });
  if (reviews === 0 || publishesReviews) return null;

  const send = () => notifyOf(publish({ variables: { importId: id } }), 'Your reviews are published.');
  return (
    <Section title="Your reviews">
      <p>
        {reviews === 1
          ? 'The file has a review. Others see it only if you publish it here, with your stars.'
          : `The file has ${reviews.toLocaleString('en')} reviews. Others see them only if you publish them here, each with your stars.`}
      </p>
      <button aria-disabled={loading} onClick={() => void send()}>
        Publish my reviews
      </button>
    </Section>
  );
}

/** The end of an import, which says first what goes and what stays. */
function Undo({ of: { id: importId, matched, unlisted, publishesReviews } }: { readonly of: ImportDetailsFragment }) {
  const [undo] = useMutation(UndoImportDocument);
  const send = async () => {
    const { data } = await undo({ variables: { importId } });
    return notifyUnless(data?.change.userErrors, 'What the import brought is taken back.');
  };
  const goes = [
    ...(matched > 0 ? [`the shelves, days and ratings of ${counted(matched, 'book')}`] : []),
    ...(publishesReviews ? ['the reviews that you published from it'] : []),
    ...(unlisted > 0 ? [`${counted(unlisted, 'book')} that the catalogue does not have`] : []),
  ];
  return (
    <details>
      <summary>Undo this import</summary>
      {goes.length > 0 && <p>What it brought goes away: {new Intl.ListFormat('en').format(goes)}.</p>}
      <p>What you have said or changed here yourself stays. You can import the file again at any time.</p>
      <Form label="Undo this import" button="Take back what it brought" send={send} />
    </details>
  );
}
