import { useIsSlow } from '../slow.ts';

/** A quiet line that says that an answer takes long. It is always there, as screen readers watch it. */
export function Patience() {
  const isSlow = useIsSlow();
  return (
    <p className={isSlow ? 'patience' : 'hidden'} aria-live="polite">
      {isSlow && 'The answer takes longer than usual. The page is still waiting for it.'}
    </p>
  );
}
