import type { ReactNode } from 'react';
import type { CopyFragment } from '../documents.generated.ts';
import { priceOf, wordsOf } from '../format.ts';
import { Link } from '../router.tsx';
import { useSession } from '../session.ts';
import { Folded, part } from './folded.tsx';
import { LikeButton } from './like-button.tsx';

const MessageForm = part(async () => (await import('../parts/message-form.tsx')).MessageForm);

interface Props {
  readonly copy: CopyFragment;
  /** The title of the copy, perhaps as a link. */
  readonly title: ReactNode;
}

/** A copy in a list, which the reader can like and ask its seller about. */
export function Copy({ copy, title }: Props) {
  const reader = useSession();
  const { id, price, condition, place, seller } = copy;
  return (
    <li>
      <span>
        <strong>{priceOf(price)}</strong> {wordsOf(condition)}
        {place && `, ${place}`}
        {seller && (
          <>
            {' '}
            by <Link to={`/reader/${encodeURIComponent(seller.id)}`}>{seller.fullName}</Link>
          </>
        )}
        <span className="note">{title}</span>
        {reader && seller && seller.id !== reader.readerId && (
          <Folded
            label={
              <>
                Write to the seller<span className="hidden"> of {copy.title}</span>
              </>
            }
          >
            <MessageForm itemId={id} title={copy.title} />
          </Folded>
        )}
      </span>
      <LikeButton likeable={copy} />
    </li>
  );
}
