import { onlyForSelf } from '../identity/privacy.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { countOfCurrent, countOfLast, loginCountOf, type LoginWindows } from './operations.ts';

declare module '../graphql/models.ts' {
  interface Models {
    LoginWindows: LoginWindows;
  }
}

export const resolvers = {
  User: {
    loginCount: onlyForSelf(loginCountOf),
    logins: onlyForSelf((_context, userId, { timeZone }) => ({ userId, timeZone })),
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
