import { accountAudit } from '../accounts/audit.ts';
import type { Audit } from '../audit/audit.ts';
import { bookAudit } from '../catalogue/audit.ts';
import { rollUpAudit } from '../events/audit.ts';
import { likeAudit } from '../likes/audit.ts';
import { itemAudit } from '../market/audit.ts';
import { readingAudit } from '../reading/audit.ts';
import { sessionAudit } from '../sessions/audit.ts';

/** All audits. docs/architecture.md says how they work, and which tables have none and why. */
export const everyAudit: readonly Audit[] = [
  likeAudit,
  readingAudit,
  accountAudit,
  sessionAudit,
  itemAudit,
  bookAudit,
  rollUpAudit,
];
