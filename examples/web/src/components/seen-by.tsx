import type { Audience } from '../documents.generated.ts';
import { audienceName } from './audiences.ts';

/** The badge that tells the owner of something who sees it. Nobody else is told an audience. */
export function SeenBy({ audience }: { readonly audience: Audience | null | undefined }) {
  return audience != null && <span className="badge">Seen by: {audienceName(audience)}</span>;
}
