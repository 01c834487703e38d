import type { Resolvers } from '../graphql/resolvers.generated.ts';
import { countOfCurrent, countOfLast, loginCountOf } from './operations.ts';
import type { LoginWindows } from './operations.ts';

declare module '../graphql/models.ts' {
  interface Models {
    LoginWindows: LoginWindows;
  }
}

export const resolvers = {
  User: {
    loginCount: (user, args, context) => (user.id === context.viewerId ? loginCountOf(context, user.id, args) : null),
    logins: (user, { timeZone }, context) => (user.id === context.viewerId ? { userId: user.id, timeZone } : null),
  },
  LoginWindows: {
    last24Hours: (windows, _args, context) => countOfLast(context, windows, 'PT24H'),
    last7Days: (windows, _args, context) => countOfLast(context, windows, 'P7D'),
    last30Days: (windows, _args, context) => countOfLast(context, windows, 'P30D'),
    thisDay: (windows, _args, context) => countOfCurrent(context, windows, 'day'),
    thisWeek: (windows, _args, context) => countOfCurrent(context, windows, 'week'),
    thisMonth: (windows, _args, context) => countOfCurrent(context, windows, 'month'),
  },
} satisfies Resolvers;
