import { createHash } from 'node:crypto';
import { badUserInput, invalidInput } from './errors.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** A UUID and the number of the review's text. */
const REVIEW = new RegExp(`${UUID.source.slice(0, -1)}\\.[1-9]\\d{0,9}$`);
const BOOK = /^(?:\d{13}|goodreads-\d{1,12})$/;

/**
 * The shapes of the keys of the types that have ids. A key names an object within its type, as the
 * tables do.
 */
const KEYS = {
  Book: BOOK,
  User: UUID,
  Item: UUID,
  Session: UUID,
  /**
   * The id of the work's only book, now or earlier; an id from another catalogue; or an id of its
   * own.
   */
  Work: new RegExp(`${BOOK.source}|^goodreads-work-\\d{1,12}$|${UUID.source}`),
  LibraryImport: UUID,
  BookList: UUID,
  Review: REVIEW,
  Library: /^[A-Z]{2}-[\w-]{1,30}$/,
} as const;

export type NodeType = keyof typeof KEYS;

/**
 * The object that an id names. Tables store it as the text `Type:key` in likeable_id and
 * subject_id.
 */
export interface NodeId {
  readonly type: NodeType;
  readonly key: string;
}

export function uuidOfBytes(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export const bytesOfUuid = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');

/** Derives a UUID from a text. The same text always gives the same UUID. */
export function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The text of an id in tables: `Type:key`. */
export const subjectOf = ({ type, key }: NodeId): string => `${type}:${key}`;

/** The opaque id that clients see. */
export const encodeId = (id: NodeId): string => Buffer.from(subjectOf(id)).toString('base64url');

const isNodeType = (type: string): type is NodeType => Object.hasOwn(KEYS, type);

/** Reads `Type:key`; `undefined` when it is not one. */
export function parseSubject(subject: string): NodeId | undefined {
  const end = subject.indexOf(':');
  if (end < 0) return undefined;
  const [type, key] = [subject.slice(0, end), subject.slice(end + 1)];
  return isNodeType(type) && KEYS[type].test(key) ? { type, key } : undefined;
}

/**
 * Reads a subject that a table holds.
 * @throws Error if it is not of a type of this server
 */
export function storedSubject(subject: string): NodeId {
  const id = parseSubject(subject);
  if (!id) throw new Error(`${subject} is not the id of any of this server's types`);
  return id;
}

/**
 * The maximum length of an id. A request may repeat a longer text many times, and each would be
 * decoded.
 */
const ID_LENGTH_MAX = 200;

/** Reads an id that clients see; `undefined` when it is malformed. */
export function decodeId(id: string): NodeId | undefined {
  if (id.length > ID_LENGTH_MAX) return undefined;
  const found = parseSubject(Buffer.from(id, 'base64url').toString());
  return found && encodeId(found) === id ? found : undefined;
}

/**
 * Reads an id from an argument of a query.
 * @throws `BAD_USER_INPUT` when it is malformed
 */
export function idArgument(name: string, id: string): NodeId {
  const found = decodeId(id);
  if (!found) throw badUserInput(`The argument "${name}" is not an id; send an id exactly as an id field returned it.`);
  return found;
}

/**
 * Reads the key of an id of one type from an argument of a query.
 * @param noun the kind of object, for the message: `a book`
 * @throws `BAD_USER_INPUT` when it is malformed, or the id of anything else
 */
export function keyArgument(name: string, id: string, type: NodeType, noun: string): string {
  const found = idArgument(name, id);
  if (found.type !== type) throw badUserInput(`The argument "${name}" is the id of a ${found.type}, not of ${noun}.`);
  return found.key;
}

/**
 * Reads an id from the input of a mutation.
 * @param within the path of the field within the input, from the outermost one
 * @throws {UserError} `INVALID_INPUT` when it is malformed
 */
export function idInput(field: string, id: string, within: readonly string[] = []): NodeId {
  const found = decodeId(id);
  if (!found)
    throw invalidInput([...within, field], 'This is not an id; send an id exactly as an id field returned it.');
  return found;
}

/**
 * Reads the key of an id of one type from the input of a mutation.
 * @param noun the kind of object, for the message: `a copy`
 * @throws {UserError} `INVALID_INPUT` about the field
 */
export function keyInput(field: string, id: string, type: NodeType, noun: string): string {
  const found = idInput(field, id);
  if (found.type !== type) throw invalidInput([field], `This is the id of a ${found.type}, not of ${noun}.`);
  return found.key;
}
