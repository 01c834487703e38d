import type { Feature } from '../feature/feature.ts';
import { imports, JOB } from './aggregate.ts';
import { importAudit, unlistedAudit } from './audit.ts';
import { BOOKS_ARRIVED } from '../catalogue/book-references.ts';
import { processLines } from './import-job.ts';
import { markArrived } from './mark-pending.ts';
import { personalData } from './personal-data.ts';
import { resolvers } from './resolvers.ts';
import { importById } from './operations.ts';

export const feature = {
  resolvers,
  nodeTypes: { LibraryImport: { find: importById } },
  transactions: [imports.transaction],
  jobs: { [JOB]: processLines, [BOOKS_ARRIVED]: markArrived },
  audits: [importAudit, unlistedAudit],
  personalData,
} satisfies Feature;
