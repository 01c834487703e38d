import { useState } from 'react';

/** The addresses of pictures that did not load. They are asked for again when the network is back. */
const failed = new Set<string>();
addEventListener('online', () => failed.clear());

/**
 * A picture over what is drawn in its place, which shows until it is there, and if it does not load.
 * Its host does not learn on which page it is shown.
 */
export function Picture({ url }: { readonly url: string | null }) {
  const [, setFailed] = useState<string>();
  if (url === null || failed.has(url)) return null;
  const fail = () => {
    failed.add(url);
    setFailed(url);
  };
  return <img src={url} alt="" loading="lazy" decoding="async" referrerPolicy="no-referrer" onError={fail} />;
}
