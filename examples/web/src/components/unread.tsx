import { useQuery } from '@apollo/client/react';
import { useEffect } from 'react';
import { UnreadDocument } from '../documents.generated.ts';

/** The server counts up to this number. */
const UNREAD_MAX = 100;

/** The number of the reader's unread notifications. It is asked for once, and when the reader comes back. */
export function Unread() {
  const { data, refetch } = useQuery(UnreadDocument);
  const count = data?.viewer?.unreadNotificationCount ?? 0;

  useEffect(() => {
    // The link works without the number, so a failure is not shown.
    const ask = () => document.hidden || refetch().catch(() => undefined);
    document.addEventListener('visibilitychange', ask);
    return () => document.removeEventListener('visibilitychange', ask);
  }, [refetch]);

  if (count === 0) return null;
  return (
    <span className="badge">
      {count < UNREAD_MAX ? count : `${UNREAD_MAX - 1}+`}
      <span className="hidden"> unread</span>
    </span>
  );
}
