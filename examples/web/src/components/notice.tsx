import { useEffect, useState } from 'react';
import { notify, useNotice } from '../notices.ts';
import { useSession } from '../session.ts';

const SHOWN_MS = 8_000;

/**
 * The live region: it is always there, because screen readers watch for its changes. A message
 * leaves by itself, but not while the reader points at it or has the focus in it.
 */
export function Notice() {
  const { message, undo, readerId } = useNotice();
  const isOwn = useSession()?.readerId === readerId;
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (message === '' || isHeld) return undefined;
    const timer = setTimeout(() => notify(''), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [message, isHeld]);
  const [hold, release] = [() => setHeld(true), () => setHeld(false)];
  const close = () => {
    release();
    notify('');
  };
  return (
    <div
      role="status"
      className={message ? 'notice' : undefined}
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      {message}
      {message && (
        <span>
          {undo && isOwn && (
            <button
              onClick={() => {
                close();
                undo();
              }}
            >
              Undo
            </button>
          )}{' '}
          <button className="plain" onClick={close}>
            Close
          </button>
        </span>
      )}
    </div>
  );
}
