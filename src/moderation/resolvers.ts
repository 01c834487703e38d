import type { Cursor } from '../graphql/connections.ts';
import { mutation } from '../graphql/errors.ts';
import type { Resolvers } from '../graphql/resolvers.generated.ts';
import { accountById, existingAccount } from '../identity/operations.ts';
import { block, unblock } from './aggregate.ts';
import { blockedOf, takeDown, type BlockedReaderEdge } from './operations.ts';
import { decideReport, report, reportById, reportedNode, reportedReader, reportsOf, type Report } from './reports.ts';

declare module '../graphql/models.ts' {
  interface Models {
    BlockedReaderEdge: BlockedReaderEdge;
    Report: Report;
    ReportEdge: { cursor: Cursor; reportId: string };
  }
}

const nobody = { user: null, changed: false };

export const resolvers = {
  Query: {
    reports: (_query, args, context) => reportsOf(context, args),
  },
  Mutation: {
    block: (_mutation, { input }, context) => mutation(nobody, () => block(context, input)),
    unblock: (_mutation, { input }, context) => mutation(nobody, () => unblock(context, input)),
    report: (_mutation, { input }, context) => mutation({}, () => report(context, input)),
    takeDown: (_mutation, { input }, context) =>
      mutation({ node: null, changed: false }, () => takeDown(context, input)),
    decideReport: (_mutation, { input }, context) => mutation({ report: null }, () => decideReport(context, input)),
  },
  User: {
    blocked: (user, args, context) => (user.id === context.viewerId ? blockedOf(context, user.id, args) : null),
  },
  Report: {
    subject: (about, _args, context) => reportedNode(context, about),
    reader: (about, _args, context) => reportedReader(context, about),
    reporter: ({ reporterId }, _args, context) => accountById(context, reporterId),
    decidedBy: ({ decidedBy }, _args, context) => (decidedBy === null ? null : accountById(context, decidedBy)),
    comment: ({ comment }) => (comment === '' ? null : comment),
    note: ({ note }) => (note === '' ? null : note),
  },
  ReportEdge: {
    node: ({ reportId }, _args, context) => reportById(context, reportId),
  },
  BlockedReaderEdge: {
    // Whom somebody blocks they see here alone, to take it back.
    node: ({ userId }, _args, context) => existingAccount(context, userId),
  },
} satisfies Resolvers;
