import { isDeepStrictEqual } from 'node:util';
import type { AppContext } from '../../src/context/context.ts';
import { Client } from '../support/client.ts';
import { endsBy, isLinearizable, type Call } from '../support/history.ts';
import { LOOK, type AUDIENCES, type Cast, type Load, type Reader, type Relation } from './load.ts';

/**
 * The end of a run, when all is at rest: the states of all relations, the histories that must lead
 * to them, and a plain model of what each reader must be shown.
 */

/** The states at rest. The relations are pairs of a reader and a thing or other reader. */
export interface AtRest {
  readonly like: ReadonlySet<string>;
  readonly follow: ReadonlySet<string>;
  readonly block: ReadonlySet<string>;
  /** The audiences of the likes of the circle; everybody else's is everyone. */
  readonly audiences: ReadonlyMap<string, (typeof AUDIENCES)[number]>;
}

const STATES = `query ($things: [ID!]!, $people: [ID!]!) {
  viewer { privacy { likes } blocked(first: 100) { nodes { id } } }
  things: nodes(ids: $things) { ... on Likeable { id is: viewerHasLiked } }
  people: nodes(ids: $people) { ... on User { id is: viewerFollows } }
}`;

interface States {
  readonly viewer: {
    readonly privacy: { readonly likes: (typeof AUDIENCES)[number] };
    readonly blocked: { readonly nodes: readonly Named[] };
  };
  readonly things: readonly Flag[];
  /** Null for a reader who is hidden. */
  readonly people: readonly (Flag | null)[];
}
interface Named {
  readonly id: string;
}
interface Flag extends Named {
  readonly is: boolean;
}

const clientOf = (url: string, { token }: Reader) => Object.assign(new Client(url), { token });

/** Reads the states of all relations. */
export async function statesAtRest(url: string, cast: Cast): Promise<AtRest> {
  const { readers, circle, authors, books, reviews } = cast;
  const [like, follow, block] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const audiences = new Map<string, (typeof AUDIENCES)[number]>();
  const variables = { things: [...books, ...reviews], people: [...circle, ...authors].map(({ id }) => id) };
  for (const reader of readers) {
    const { viewer, things, people } = (await clientOf(url, reader).data(STATES, variables)) as States;
    audiences.set(reader.id, viewer.privacy.likes);
    for (const { id, is } of things) if (is) like.add(`${reader.id} ${id}`);
    for (const other of people) if (other?.is) follow.add(`${reader.id} ${other.id}`);
    for (const { id } of viewer.blocked.nodes) block.add(`${reader.id} ${id}`);
  }
  return { like, follow, block, audiences };
}

/** Returns the number of transactions and jobs that are not finished. */
export async function unfinishedIn({ cassandra }: AppContext): Promise<number> {
  const queries = ['SELECT transaction_id FROM transaction_log', 'SELECT subject FROM jobs'];
  const found = await Promise.all(queries.map((query) => cassandra.client.execute(query)));
  return found.reduce((sum, { rowLength }) => sum + rowLength, 0);
}

/**
 * Checks that the calls about each pair are linearizable, and end with the state at rest. A block
 * of either reader may end a follow.
 */
export function* impossibleHistories({ histories }: Load, atRest: AtRest): Generator<string> {
  const now = performance.now();
  for (const relation of ['like', 'follow', 'block'] as const satisfies Relation[])
    for (const [key, history] of histories[relation]) {
      const blocks = [key, opposite(key)].flatMap((pair) => histories.block.get(pair) ?? []);
      const began = relation === 'follow' ? blocks.filter(({ verb }) => verb === 'like') : [];
      const last: Call = { verb: 'read', begun: now, ended: now + 1, answer: atRest[relation].has(key) };
      if (!isLinearizable([...history, ...began.flatMap((each) => endsBy(each, history)), last]))
        yield `not linearizable: ${relation} ${key} ${JSON.stringify([...history, last])}`;
    }
}

/** Yields what servers show otherwise than a plain model, to those who follow or are followed. */
export async function* wronglyShown(urls: readonly string[], cast: Cast, atRest: AtRest): AsyncGenerator<string> {
  const ids = [...cast.books, ...cast.reviews];
  for (const [server, url] of urls.entries())
    for (const reader of [...cast.circle, ...cast.authors]) {
      const shown = comparable((await clientOf(url, reader).data(LOOK, { ids })) as Look);
      const model = modelOf(reader, cast, atRest);
      for (const [what, wanted] of Object.entries(model)) {
        const found = shown[what];
        if (!isDeepStrictEqual(found, wanted))
          yield (
            `server ${String(server)} shows ${reader.id} wrong ${what}: ` +
            `${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`
          );
      }
    }
  for (const pair of atRest.follow)
    if (areHidden(atRest.block, pair)) yield `${pair}: a follow of readers who are hidden`;
}

/** Returns whether one of two readers blocks the other. */
const areHidden = (block: ReadonlySet<string>, pair: string): boolean => block.has(pair) || block.has(opposite(pair));
const opposite = (pair: string) => pair.split(' ').toReversed().join(' ');

/** The answers to a reader. Readers who are not shown are null; the order of lists is left out. */
type Model = Readonly<Record<string, unknown>>;

interface Counted {
  readonly ids: readonly (string | null)[];
  readonly count: number;
}
interface Exact {
  readonly count: number;
  readonly isExact: boolean;
}

const NOBODY = '~';
const sorted = (ids: readonly (string | null)[]) =>
  ids.toSorted((one, other) => ((one ?? NOBODY) < (other ?? NOBODY) ? -1 : 1));
const counted = (ids: readonly (string | null)[]): Counted => ({ ids: sorted(ids), count: ids.length });
const exact = (count: number): Exact => ({ count, isExact: true });

/** Returns things by their ids. */
const byId = (things: readonly Named[]): Model =>
  Object.fromEntries(things.map((thing) => [`thing ${thing.id}`, thing]));

/** Computes what a reader must be shown. */
function modelOf({ id: viewer }: Reader, cast: Cast, { like, follow, block, audiences }: AtRest): Model {
  const { readers, circle, authors, books, reviews } = cast;
  const follows = (one: string, other: string) => follow.has(`${one} ${other}`);
  const people = [...circle, ...authors].map(({ id }) => id);
  const isShown = (id: string) => {
    const audience = audiences.get(id);
    if (areHidden(block, `${viewer} ${id}`)) return false;
    return id === viewer || (audience === 'FOLLOWERS' ? follows(viewer, id) : audience !== 'ONLY_ME');
  };
  const shown = (ids: readonly string[]) => ids.map((id) => (isShown(id) ? id : null));

  const likersOf = (thing: string) => readers.map(({ id }) => id).filter((id) => like.has(`${id} ${thing}`));
  const following = people.filter((id) => follows(viewer, id));
  const followers = people.filter((id) => follows(id, viewer));
  const seen = following.filter(isShown);
  const things = [...books, ...reviews].map((id) => {
    const likers = likersOf(id);
    const known = seen.filter((other) => likers.includes(other));
    return { id, ...counted(shown(likers)), tally: exact(likers.length), known: { ...counted(known), isExact: true } };
  });

  const own = reviews[authors.findIndex(({ id }) => id === viewer)];
  const likers = own === undefined ? [] : likersOf(own).filter((id) => id !== viewer);
  return {
    following: counted(following),
    followers: { ...counted(shown(followers)), tally: exact(followers.length) },
    ...byId(things),
    notifications: [
      ...(followers.length > 0 ? [`FOLLOWED ${viewer} ${followers.length}`] : []),
      ...(likers.length > 0 && own !== undefined ? [`REVIEW_LIKED ${own} ${likers.length}`] : []),
    ].toSorted(),
    feed: [
      ...things.flatMap(({ id, known }) => known.ids.map((other) => `LIKED ${String(other)} ${id}`)),
      ...authors.flatMap(({ id }, index) => (following.includes(id) ? [`REVIEWED ${id} ${reviews[index] ?? ''}`] : [])),
    ].toSorted(),
  };
}

/** The answer to {@link LOOK}. */
interface Look {
  readonly viewer: {
    readonly following: Page;
    readonly followers: Page;
    readonly followerTally: Exact;
    readonly notifications: {
      readonly nodes: readonly { readonly kind: string; readonly count: number; readonly subject: Named }[];
    };
  };
  readonly nodes: readonly {
    readonly id: string;
    readonly likeTally: Exact;
    readonly likers: Page;
    readonly knownLikers: Exact & Pick<Page, 'nodes'>;
  }[];
  readonly feed: { readonly edges: readonly { readonly at: string; readonly node: Entry }[] };
}
interface Page {
  readonly totalCount: number;
  readonly nodes: readonly (Named | null)[];
}
interface Entry {
  readonly kind: string;
  readonly reader: Named;
  readonly likeable: Named | null;
  readonly review: Named | null;
}

/** Returns an answer in the form of the model. A feed that is not in order has other entries. */
function comparable({ viewer, nodes, feed }: Look): Model {
  const idsOf = ({ nodes: some }: Pick<Page, 'nodes'>) => sorted(some.map((node) => node?.id ?? null));
  const page = (of: Page): Counted => ({ ids: idsOf(of), count: of.totalCount });
  const entries = feed.edges.map(({ at, node }, index) => {
    const isInOrder = index === 0 || at <= (feed.edges[index - 1]?.at ?? '');
    const { kind, reader, likeable, review } = node;
    return `${kind} ${reader.id} ${(likeable ?? review)?.id ?? ''}${isInOrder ? '' : ' out of order'}`;
  });
  return {
    following: page(viewer.following),
    followers: { ...page(viewer.followers), tally: viewer.followerTally },
    notifications: viewer.notifications.nodes
      .map(({ kind, subject, count }) => `${kind} ${subject.id} ${count}`)
      .toSorted(),
    ...byId(
      nodes.map(({ id, likeTally, likers, knownLikers: { count, isExact, ...known } }) => ({
        id,
        ...page(likers),
        tally: likeTally,
        known: { ids: idsOf(known), count, isExact },
      })),
    ),
    feed: entries.toSorted(),
  };
}
