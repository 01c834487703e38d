import type { FastifyInstance } from 'fastify';
import type { AppContext, RequestContext } from '../context/context.ts';
import { decodeId } from '../graphql/ids.ts';
import { shownReader } from '../identity/privacy.ts';
import { hasStatistics, statisticsOf } from '../statistics/operations.ts';
import { pictureOfYear } from '../statistics/picture.ts';
import type { Admission } from './admission.ts';
import { bodyOf } from './errors.ts';
import { readAsVisitor } from './visitors.ts';

/** Serves the pictures of the years that readers share. */

/** Returns the path of the picture of a reader's year. */
export const yearPicturePath = (readerId: string, year: number): string => `/pictures/years/${readerId}/${year}.png`;

export function serveYearPictures(server: FastifyInstance, app: AppContext, admission: Admission): void {
  server.get<{ Params: { reader: string; year: string } }>(
    '/pictures/years/:reader/:year.png',
    async (request, reply) => {
      const { reader, year } = request.params;
      const picture = await readAsVisitor(app, admission, request, async (context) => {
        const found = await yearAt(context, reader, year);
        return found && pictureOfYear(app, found.fullName, found.statistics);
      });

      if (!picture) return reply.code(404).send(bodyOf('NOT_FOUND', 'This year is not shown to visitors.'));
      // A year that its reader shares no longer is shown no longer.
      return reply.headers({ 'content-type': 'image/png', 'cache-control': 'no-cache' }).send(picture);
    },
  );
}

/** Finds a reader's year by the parts of a path; null if the caller may not see it. */
export async function yearAt(context: RequestContext, readerId: string, year: string) {
  const id = decodeId(readerId);
  if (id?.type !== 'User' || !hasStatistics(context, Number(year))) return null;

  const reader = await shownReader(context, id.key);
  const statistics = reader && (await statisticsOf(context, reader, Number(year)));
  return statistics && { fullName: reader.fullName, statistics };
}
