import type { Cursor } from '../graphql/connections.ts';
import { mutation } from '../graphql/errors.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { accountById } from '../identity/operations.ts';
import {
  decideReport,
  report,
  reportById,
  reportedNode,
  reportedReader,
  reportsOf,
  type Report,
} from './operations.ts';

declare module '../graphql/models.ts' {
  interface Models {
    Report: Report;
    ReportEdge: { cursor: Cursor; reportId: string };
  }
}

export const resolvers = {
  Query: {
    reports: (_query, args, context) => reportsOf(context, args),
  },
  Mutation: {
    report: (_mutation, { input }, context) => mutation({}, () => report(context, input)),
    decideReport: (_mutation, { input }, context) => mutation({ report: null }, () => decideReport(context, input)),
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
} satisfies Resolvers;
