import { notify, useNotice } from '../notices.ts';

/** The live region: it is always there, because screen readers watch for its changes. */
export function Notice() {
  const message = useNotice();
  return (
    <div role="status" className={message ? 'notice' : undefined}>
      {message}
      {message && (
        <button className="plain" onClick={() => notify('')}>
          Close
        </button>
      )}
    </div>
  );
}
