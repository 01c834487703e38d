import type { Cluster } from '../cluster/cluster.ts';
import type { Library } from '../library.ts';
import type { World } from '../world.ts';
import { driftOfEmails, driftOfSessions, erasedIn, leftBehind } from './accounts.ts';
import { driftOfActivity, driftOfEvents } from './activity.ts';
import { driftOfBooks, driftOfImports, impossibleTitles, staleTitles } from './books.ts';
import { driftOfClicks } from './clicks.ts';
import { driftOfCopies } from './copies.ts';
import { driftOfCounts } from './counts.ts';
import { driftOfDecisions } from './decisions.ts';
import { driftOfFollows, impossibleFollows } from './follows.ts';
import { driftOfLikes, impossibleLikes, staleNames } from './likes.ts';
import { driftOfLibraryImports } from './library-imports.ts';
import { driftOfLists, impossibleLists } from './lists.ts';
import { driftOfViews } from './views.ts';
import { driftOfBlocks, driftOfReports, impossibleBlocks } from './moderation.ts';
import { driftOfRatings, impossibleRatings } from './ratings.ts';
import { driftOfReadings, impossibleReadings } from './readings.ts';
import { driftOfReviews, impossibleReviews } from './reviews.ts';
import { driftOfSuspensions, impossibleSuspensions } from './suspensions.ts';
import { impossibleNames, impossibleOwnTitles } from './take-downs.ts';

/**
 * Finds all inconsistencies once the cluster is quiet, from the rows of the nodes themselves.
 * @param isCounted whether the servers counted the events
 */
export function* driftOf(
  cluster: Cluster,
  library: Library,
  { now, steps }: World,
  isCounted: boolean,
): Generator<string> {
  const erased = erasedIn(cluster);
  yield* driftOfLikes(cluster);
  yield* staleNames(cluster);
  yield* impossibleLikes(cluster, library, steps);
  yield* driftOfFollows(cluster);
  yield* impossibleFollows(cluster, library, steps);
  yield* driftOfRatings(cluster);
  yield* impossibleRatings(cluster, library, steps);
  yield* driftOfReviews(cluster, erased);
  yield* impossibleReviews(cluster, library, steps);
  yield* driftOfLists(cluster, erased);
  yield* impossibleLists(cluster, library, steps);
  yield* driftOfReadings(cluster);
  yield* driftOfLibraryImports(cluster, library);
  yield* impossibleReadings(cluster, library, steps);
  yield* driftOfCopies(cluster);
  yield* driftOfBooks(cluster);
  yield* driftOfImports(cluster, library);
  yield* staleTitles(cluster);
  yield* impossibleTitles(cluster, library, steps);
  yield* driftOfEmails(cluster);
  yield* driftOfSessions(cluster);
  yield* leftBehind(cluster, erased);
  yield* driftOfBlocks(cluster);
  yield* impossibleBlocks(cluster, library, steps);
  yield* driftOfReports(cluster, erased);
  yield* driftOfSuspensions(cluster, library, now);
  yield* impossibleSuspensions(cluster, library, steps);
  yield* impossibleNames(cluster, library, steps);
  yield* impossibleOwnTitles(cluster, library, steps);
  yield* driftOfDecisions(cluster, erased);
  yield* driftOfActivity(cluster, library, erased);
  yield* driftOfViews(cluster, library, erased, now);
  yield* driftOfClicks(cluster, library, erased);
  yield* driftOfEvents(cluster, erased, now, isCounted);
  if (isCounted) yield* driftOfCounts(cluster, library, erased, now);
  if (cluster.scan('transaction_dead_letters').length > 0) yield 'transactions are dead letters';
}
