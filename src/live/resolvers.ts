import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { watchFeed, type FeedChangedEvent } from './feed.ts';
import { watchTallies, type LikeTalliesEvent, type LikeTallyChange } from './tallies.ts';
import { watchViewer, type ViewerChangedEvent } from './viewer.ts';

declare module '../graphql/models.ts' {
  interface Models {
    FeedChangedEvent: FeedChangedEvent;
    LikeTalliesEvent: LikeTalliesEvent;
    LikeTallyChange: LikeTallyChange;
    ViewerChangedEvent: ViewerChangedEvent;
  }
}

export const resolvers = {
  Subscription: {
    likeTallies: {
      subscribe: (_subscription, { ids }, context) => watchTallies(context, ids),
      resolve: (event: LikeTalliesEvent) => event,
    },
    viewerChanged: {
      subscribe: (_subscription, _args, context) => watchViewer(context),
      resolve: (event: ViewerChangedEvent) => event,
    },
    feedChanged: {
      subscribe: (_subscription, _args, context) => watchFeed(context),
      resolve: (event: FeedChangedEvent) => event,
    },
  },
} satisfies Resolvers;
