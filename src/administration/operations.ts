import { write } from '../cassandra/statement.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { connection, type Connection, type PageArguments, type Cursor } from '../graphql/connections.ts';
import { isDecisionKind } from '../graphql/kinds.ts';
import { badUserInput } from '../graphql/errors.ts';
import { idArgument, subjectOf, uuidOf, type NodeId, type NodeType } from '../graphql/ids.ts';
import type { DecisionKind, SecurityEventKind } from '../graphql/generated/schema-types.ts';
import { requireAdministratorForQuery } from '../identity/operations.ts';
import { recordSecurityEvent } from '../security/operations.ts';
import { decisions, insertDecision } from './tables.ts';

/** A decision of an administrator. */
export interface Decision {
  readonly kind: DecisionKind;
  readonly at: Date;
  readonly administratorId: string;
  /** The reason, '' if none was given. */
  readonly reason: string;
}

/**
 * Records a decision of an administrator. Call it in the projections of the change, so that every
 * change has a record.
 * @param subject the subject of the decision, as `Type:key`
 * @param id the id of the change; recording it again writes the same row
 */
export async function recordDecision(
  { cassandra }: AppContext,
  subject: string,
  id: string,
  { kind, at, administratorId, reason }: Decision,
): Promise<void> {
  const decided = { kind, administrator_id: administratorId, reason };
  await write(cassandra, insertDecision, { subject, at, decision_id: id, ...decided });
}

/**
 * The latest decision of a kind in a state. All fields except the kind are null if there is none.
 */
interface LastDecision {
  readonly kind: DecisionKind & SecurityEventKind;
  readonly at: Date | null;
  readonly by: string | null;
  readonly reason: string | null;
}

/**
 * Records the latest decision about a thing, if there is one: once for the thing and once for the
 * reader that it belongs to. Recording it again changes nothing.
 * @param userId the reader
 */
export async function recordDecisionFor(
  app: AppContext,
  about: NodeId,
  userId: string,
  { kind, at, by, reason }: LastDecision,
): Promise<void> {
  if (!at || by === null) return;
  const id = uuidOf(`${kind} ${about.key} ${at.toISOString()}`);
  await recordDecision(app, subjectOf(about), id, { kind, at, administratorId: by, reason: reason ?? '' });
  await recordSecurityEvent(app, userId, id, { kind, at, address: null, sessionId: null });
}

/** The types of things that administrators decide about. */
const DECIDED: readonly NodeType[] = ['User', 'Book', 'Item', 'BookList', 'Review'];

/**
 * Returns a page of the decisions about a reader, book, copy, list or review, newest first, for
 * administrators.
 * @throws `UNAUTHENTICATED`, `FORBIDDEN`; `BAD_USER_INPUT` when the id or the paging arguments
 *   cannot be used
 */
export async function decisionsAbout(
  context: RequestContext,
  { id, ...page }: { id: string } & PageArguments,
): Promise<Connection<{ cursor: Cursor; node: Decision }>> {
  await requireAdministratorForQuery(context);
  const about = idArgument('id', id);
  if (!DECIDED.includes(about.type))
    throw badUserInput(
      'The argument "id" is not the id of a reader, book, copy, list or review; decisions are about nothing else.',
    );

  const subject = subjectOf(about);
  const list = {
    ...decisions.list(context.cassandra, { subject }),
    name: `administration ${subject}`,
    descending: true,
    filter: { keep: ({ kind }: { readonly kind: string }) => isDecisionKind(kind), rowsMin: 0 },
  };
  return connection(page, list, ({ kind, at, administrator_id, reason }, cursor) => ({
    cursor,
    node: { kind: kind as DecisionKind, at, administratorId: administrator_id, reason },
  }));
}
