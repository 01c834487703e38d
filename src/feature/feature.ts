import type { Audit } from '../audit/audit.ts';
import type { AppContext, JobHandler, RequestContext } from '../context/context.ts';
import type { StoredData } from '../erasure/personal-table.ts';
import type { ListedNode } from '../graphql/connections.ts';
import type { NodeType } from '../graphql/ids.ts';
import type { ViewerDataKind } from '../graphql/generated/schema-types.ts';
import type { MutationResolvers, Resolvers } from '../graphql/generated/resolver-types.ts';
import type { TransactionKinds } from '../transactions/operations.ts';
import type { NewsListener } from './news.ts';
import type { NodeTypes } from './node-types.ts';

/**
 * The parts that a feature contributes. Its `feature.ts` exports them as `feature`, and
 * `src/features.ts` lists all features. Nothing else changes for a new feature.
 */
export interface Feature extends StoredData {
  /** Its fields of the schema. */
  readonly resolvers?: Resolvers;
  /** Its kinds of transactions, so that every server can finish those of any other. */
  readonly transactions?: TransactionKinds;
  /**
   * The handlers of its jobs, by kind. Several features can each have a named part of the same kind
   * of job. The parts run in the order of the features.
   */
  readonly jobs?: Readonly<Record<string, JobHandler | readonly JobPart[]>>;
  /** The audits that compare its tables with its sources of truth. */
  readonly audits?: readonly Audit[];
  /** The workers that run in the background while a server is trusted. */
  readonly workers?: readonly Worker[];
  /** Its types of objects that have an id. A type also declares whether readers can like it. */
  readonly nodeTypes?: Partial<NodeTypes>;
  /** The costs of its fields that `@cost` and `@listSize` cannot express. */
  readonly costs?: FieldCosts;
  /**
   * Its mutations that do not need a verified email: those for verifying it, for logging in and
   * out, for deleting the account, and for visitors without one. All others are refused until then
   * if the server requires verification.
   */
  readonly beforeVerified?: readonly (keyof MutationResolvers)[];
  readonly readsAhead?: ReadsAhead;
  /** Told of the news of readers, such as a like of their review. */
  readonly onNews?: NewsListener;
  /**
   * The kinds of the viewer's own data that its mutations change. The server announces them to the
   * reader's other devices. Likes and imports announce themselves, with their rows.
   */
  readonly viewerData?: { readonly [Mutation in keyof MutationResolvers]?: ViewerDataKind };
}

/** Costs by type and field. */
export type FieldCosts = {
  readonly [Type in keyof Resolvers]?: {
    readonly [Field in keyof NonNullable<Resolvers[Type]>]?: ComputedCost<
      ArgumentsOf<NonNullable<Resolvers[Type]>[Field]>
    >;
  };
};

type ArgumentsOf<Resolver> = Resolver extends (parent: never, args: infer Args, ...rest: never[]) => unknown
  ? Args
  : never;

/** The parts of a field's cost that are computed from its arguments. */
export interface ComputedCost<Args = Readonly<Record<string, unknown>>> {
  /** Returns the maximum number of elements of the list. */
  readonly size?: (args: Args) => number;
  /**
   * Returns the number of partitions that are read in parallel for one page. A whole page is read
   * from each.
   */
  readonly partitions?: (args: Args) => number;
}

/** A feature's part of a kind of job. */
export interface JobPart {
  /** It has no spaces and never changes, as the position of an unfinished job is stored with it. */
  readonly name: string;
  readonly work: JobHandler;
  /** Set if it runs after the parts of all other features. */
  readonly isLast?: true;
}

/** A worker. A run can be repeated at any time and does not retry on its own. */
export interface Worker {
  readonly name: string;
  readonly periodMs: number;
  /** Set if the first run begins when the server starts, rather than a period later. */
  readonly isAtStart?: true;
  /**
   * @param stopping aborted when the process is about to end and waits for the run; a long run then
   *   ends early
   */
  readonly run: (app: AppContext, stopping: AbortSignal) => Promise<void>;
  /** Called once after the last run. It releases the worker's lease. */
  readonly end?: (app: AppContext) => Promise<void>;
}

/**
 * The reads of a page of nodes that are done together before the first node is resolved, so that no
 * field waits for its own read. They change no answer: a field itself reads any data that was not
 * read ahead.
 */
export interface ReadsAhead {
  /** The node type. A page is read ahead if its nodes may be of this type. */
  readonly of: NodeType;
  /** @param asked the fields asked of the nodes, including those that directives may leave out */
  readonly read: (
    context: RequestContext,
    nodes: readonly ListedNode[],
    asked: ReadonlySet<string>,
  ) => Promise<unknown>;
}
