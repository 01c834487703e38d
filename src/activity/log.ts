import { batch, bind, type Bound } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import type { ActionKind } from '../graphql/schema.generated.ts';
import { monthOf, monthWrites } from './months.ts';
import { insertAction } from './tables.ts';

/** The activity log: what each reader did, and when. */

/** Something that a reader did. */
export interface Action {
  readonly kind: ActionKind;
  readonly at: Date;
  /** What it was done to, as `Type:key`; '' where there is nothing. */
  readonly subject: string;
}

/**
 * Writes what a reader did into the activity log. Writing the same action again changes nothing.
 * @param actions each with its own canonical moment, so that a repetition is the same row
 */
export async function recordActions(app: AppContext, userId: string, actions: readonly Action[]): Promise<void> {
  await batch(app.cassandra, monthWrites(userId, 'actions', momentsOf(actions)));
  await batch(app.cassandra, entryWrites(userId, actions));
}

/**
 * The writes that {@link recordActions} does, for a batch of a transaction, which is repeated until all of it is there.
 */
export const actionWrites = (userId: string, actions: readonly Action[]): Bound[] => [
  ...monthWrites(userId, 'actions', momentsOf(actions)),
  ...entryWrites(userId, actions),
];

const momentsOf = (actions: readonly Action[]) => actions.map(({ at }) => at);

/** The writes of actions themselves, without those that list their months. */
export const entryWrites = (userId: string, actions: readonly Action[]): Bound[] =>
  actions.map(({ kind, at, subject }) =>
    bind(insertAction, { user_id: userId, month: monthOf(at), at, kind, subject_id: subject }),
  );
