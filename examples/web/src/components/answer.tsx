import type { ReactNode } from 'react';
import { mayPass, messageOf } from '../errors.ts';
import { tryAgain } from '../recovery.ts';
import { Link } from '../router.tsx';

interface Props {
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly children: ReactNode;
}

/** The content of a page, or the reason why it is not there yet. A part that failed is named above the rest. */
export function Answer({ isLoading, error, children }: Props) {
  if (isLoading) return <p role="status">Loading …</p>;
  return (
    <>
      {error !== undefined && (
        <p role="alert" className="error">
          {messageOf(error)}{' '}
          {mayPass(error) ? <button onClick={tryAgain}>Try again</button> : <Link to="/">Go to the first page</Link>}
        </p>
      )}
      {children}
    </>
  );
}
