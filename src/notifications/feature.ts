import type { Feature } from '../feature/feature.ts';
import { pusher } from './pushes.ts';
import { resolvers } from './resolvers.ts';

export const feature = {
  resolvers,
  onNews: (app, news) => {
    pusher(app).post(news);
  },
} satisfies Feature;
