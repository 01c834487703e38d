import { z } from 'zod';
import { badUserInput } from './errors.ts';
import type { NodeId } from './ids.ts';
import { readSlice, type PartitionedList } from '../cassandra/paging.ts';

export const PAGE_SIZE = 20;
export const PAGE_SIZE_MAX = 100;

/** The paging arguments of every connection: `first` and `after`, or `last` and `before`. */
export interface PageArguments {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly last?: number | null;
  readonly before?: string | null;
}

/** A list of the API: the rows of a table, and the format of its cursors. */
export interface List<Row, Position> extends PartitionedList<Row, Position> {
  /** The name of the list, with its owner and order. A cursor of another list is refused. */
  readonly name: string;
  /** True if the list is sorted from the highest row to the lowest. */
  readonly descending: boolean;
  /** The model of a position in a cursor, as JSON. */
  readonly cursor: z.ZodType<Position>;
  /** Returns the current place of a cursor's position, if rows may move to other partitions. */
  readonly locate?: (position: Position) => Promise<Position>;
}

/**
 * Makes the cursor of an edge when a client asks for it, as sealing costs more than the rest of the
 * edge.
 */
export type Cursor = () => string;

/** The node of an edge. */
export interface ListedNode<Node = unknown> extends NodeId {
  /** The node itself, if the row of the list has all of its requested fields. */
  readonly known?: Node | undefined;
}

/**
 * The place of a page in its list. Looking beyond its start costs a read, which is done only when a
 * client asks.
 */
export interface PageInfo {
  readonly hasNextPage: boolean | (() => Promise<boolean>);
  readonly hasPreviousPage: boolean | (() => Promise<boolean>);
  readonly startCursor: Cursor | null;
  readonly endCursor: Cursor | null;
}

export interface Connection<Edge> {
  readonly edges: Edge[];
  readonly pageInfo: PageInfo;
}

/** The number of rows of a list; at least that number if it is not exact. */
export interface RowCount {
  readonly value: number;
  readonly isExact: boolean;
}

/** A page of a list whose rows are counted when a client asks. */
export interface CountedConnection<Edge> extends Connection<Edge> {
  readonly count: () => Promise<RowCount>;
}

/** The page of a list that the caller may not see. */
export const EMPTY_PAGE: CountedConnection<never> = {
  edges: [],
  count: () => Promise.resolve({ value: 0, isExact: true }),
  pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
};

/**
 * Reads a page of a list.
 * @param edgeOf makes an edge of a row and its cursor
 * @throws `BAD_USER_INPUT` naming the argument that cannot be used
 */
export async function connection<Row, Position, Edge>(
  args: PageArguments,
  list: List<Row, Position>,
  edgeOf: (row: Row, cursor: Cursor) => Edge,
): Promise<CountedConnection<Edge>> {
  const { size, cursor, backward } = readArguments(args);
  const position = cursor === undefined ? undefined : decodeCursor(cursor, backward ? 'before' : 'after', list);
  const from = position && list.locate ? await list.locate(position) : position;
  const descending = list.descending !== backward;
  const { rows, more } = await readSlice(list, { descending, from, limit: size });
  const nearest = rows.at(0);
  const behind = async () => {
    // This read runs backwards from the page's first row, or from the cursor if the page is empty.
    const edge = nearest === undefined ? from : list.positionOf(nearest);
    return (await readSlice(list, { descending: !descending, from: edge, limit: 1 })).rows.length > 0;
  };
  const beyond = from === undefined ? false : behind;

  const isWhole = size > 0 && from === undefined && !more;
  const count = () => (isWhole ? Promise.resolve({ value: rows.length, isExact: true }) : countOf(list));

  const inOrder = backward ? rows.toReversed() : rows;
  const [start, end] = [inOrder.at(0), inOrder.at(-1)];
  return {
    edges: inOrder.map((row) => edgeOf(row, cursorIn(list, row))),
    pageInfo: {
      hasNextPage: backward ? beyond : more,
      hasPreviousPage: backward ? more : beyond,
      startCursor: start === undefined ? null : cursorIn(list, start),
      endCursor: end === undefined ? null : cursorIn(list, end),
    },
    count,
  };
}

/** The maximum number of rows that are counted. */
const COUNTED_MAX = 1_000;
/** The number of rows after which a count ends, if a filter leaves out most of them. */
const READ_FOR_COUNT_MAX = 5_000;

/** Counts the rows of a list by reading them, so that the count and the pages always agree. */
async function countOf<Row, Position>(list: List<Row, Position>): Promise<RowCount> {
  let left = READ_FOR_COUNT_MAX;
  const read: typeof list.read = async (partitions, slice) => {
    if (left <= 0) return [];
    const found = await list.read(partitions, slice);
    left -= found.length;
    return found;
  };

  const slice = { descending: list.descending, from: undefined, limit: COUNTED_MAX };
  const { rows, more } = await readSlice({ ...list, read }, slice);
  return { value: rows.length, isExact: !more && left > 0 };
}

function readArguments({ first, after, last, before }: PageArguments) {
  const backward = last != null || before != null;
  if (backward && (first != null || after != null)) {
    throw badUserInput('Page with "first" and "after", or with "last" and "before", not with both.');
  }
  const size = backward ? sizeOfPage('last', last ?? PAGE_SIZE) : sizeOfPage('first', first ?? PAGE_SIZE);
  return { size, cursor: (backward ? before : after) ?? undefined, backward };
}

/**
 * Returns the number of elements that an argument asks for.
 * @throws `BAD_USER_INPUT` naming the argument if they are more than a page, or fewer than none
 */
export function sizeOfPage(argument: 'first' | 'last', size: number): number {
  if (size >= 0 && size <= PAGE_SIZE_MAX) return size;
  throw badUserInput(`The argument "${argument}" must be from 0 to ${PAGE_SIZE_MAX}.`);
}

/** The parts of a list that make the cursors of its rows. */
export type ListName<Row, Position> = Pick<List<Row, Position>, 'name' | 'cursor' | 'positionOf'>;

/** Returns the cursor that the pages of a list give a row. */
export const cursorIn =
  <Row, Position>(list: ListName<Row, Position>, row: Row): Cursor =>
  () =>
    encodeCursor(list, row);

const encodeCursor = <Row, Position>({ name, cursor, positionOf }: ListName<Row, Position>, row: Row) =>
  Buffer.from(JSON.stringify([name, z.encode(cursor, positionOf(row))])).toString('base64url');

/**
 * The maximum length of a cursor, which contains a title and an author at most. A request may
 * contain the same cursor many times.
 */
const CURSOR_LENGTH_MAX = 10_000;

/** @throws Error if a cursor is too long, or no JSON */
function contentOf(cursor: string): unknown {
  if (cursor.length > CURSOR_LENGTH_MAX) throw new Error('The cursor is too long.');
  return JSON.parse(Buffer.from(cursor, 'base64url').toString());
}

/** The name of the list that a cursor names; undefined if it names none. */
export function listNameIn(cursor: string): string | undefined {
  try {
    return z.tuple([z.string(), z.unknown()]).parse(contentOf(cursor))[0];
  } catch {
    return undefined;
  }
}

function decodeCursor<Row, Position>(cursor: string, argument: string, list: List<Row, Position>): Position {
  try {
    const [, position] = z.tuple([z.literal(list.name), list.cursor]).parse(contentOf(cursor));
    return position;
  } catch {
    throw badUserInput(
      `The argument "${argument}" is not a cursor of this list; send a cursor exactly as an edge ` +
        'of this list returned it.',
    );
  }
}
