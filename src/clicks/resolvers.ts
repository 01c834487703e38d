import { mutation } from '../graphql/errors.ts';
import { encodeId, parseSubject } from '../graphql/ids.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { visibleSessionId } from '../sessions/operations.ts';
import type { Click } from './inputs.ts';
import { clickFiguresOf, clicksBetween, clicksOf, durationOf, recordClicks, type ClickEdge } from './operations.ts';

declare module '../graphql/models.ts' {
  interface Models {
    Click: Click;
    ClickEdge: ClickEdge;
  }
}

const nothing = { session: null, recorded: 0 };

export const resolvers = {
  Query: {
    clicks: (_query, args, context) => clicksBetween(context, args, args),
  },
  Mutation: {
    recordClicks: (_mutation, { input }, context) => mutation(nothing, () => recordClicks(context, input)),
  },
  Session: {
    clicks: (session, args, context) => clicksOf(context, session, args, args),
    clickCount: async (session, _args, context) => (await clickFiguresOf(context, session)).clickCount,
    lastClickAt: async (session, _args, context) => (await clickFiguresOf(context, session)).lastClickAt,
    duration: (session, _args, context) => durationOf(context, session),
  },
  Click: {
    subjectId: ({ subject }) => {
      const id = parseSubject(subject ?? '');
      return id ? encodeId(id) : null;
    },
    sessionId: ({ sessionId }, _args, context) => visibleSessionId(context, sessionId),
  },
} satisfies Resolvers;
