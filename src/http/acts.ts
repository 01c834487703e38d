import { defaultFieldResolver, type GraphQLSchema } from 'graphql';
import { announceAct } from '../changes/operations.ts';
import type { RequestContext } from '../context/context.ts';
import type { ViewerDataKind } from '../graphql/generated/schema-types.ts';
import { features } from '../features.ts';

/** Tells the other devices of a reader what a mutation has changed. */

/** The kinds of data that mutations change, by mutation. */
const changedBy = new Map<string, ViewerDataKind>(
  features.flatMap(({ viewerData = {} }) => Object.entries(viewerData)),
);

/** Makes the mutations of a schema announce what they have changed of the viewer's data. */
export function announceActs(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const kind = changedBy.get(field.name);
    if (!kind) continue;
    const { resolve = defaultFieldResolver } = field;
    field.resolve = async (source, args: unknown, context: RequestContext, info) => {
      const payload: unknown = await resolve(source, args, context, info);
      if (context.viewerId !== null && hasChanged(payload as Payload))
        await announceAct(context, context.viewerId, kind);
      return payload;
    };
  }
}

interface Payload {
  readonly userErrors: readonly unknown[];
  readonly changed?: boolean;
}

const hasChanged = ({ userErrors, changed = true }: Payload) => userErrors.length === 0 && changed;
