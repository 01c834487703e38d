import { defaultFieldResolver, getNullableType, isNonNullType, isObjectType, type GraphQLSchema } from 'graphql';
import type { RequestContext } from '../context/context.ts';
import { mutation } from '../graphql/errors.ts';
import { requireVerified } from '../identity/operations.ts';
import { features } from '../features.ts';

/** Restricts readers who have yet to verify their email to some mutations. */

/** The mutations that need no verified email. All others are refused, including new ones. */
const beforeVerified = new Set<string>(features.flatMap((feature) => feature.beforeVerified ?? []));

/** The values of non-null payload fields when nothing was done, by type. */
const NOTHING: Readonly<Record<string, unknown>> = { Boolean: false, Int: 0 };

/**
 * Makes the mutations of a schema answer `EMAIL_NOT_VERIFIED`, before they do anything, to a reader
 * who has not verified their email.
 */
export function onlyVerifiedWrite(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    if (beforeVerified.has(field.name)) continue;
    const nothing = emptyPayloadOf(getNullableType(field.type));
    const { resolve = defaultFieldResolver } = field;
    field.resolve = async (source, args: unknown, context: RequestContext, info) => {
      const refused = await mutation(nothing, async () => {
        await requireVerified(context);
        return {};
      });
      return refused.userErrors.length > 0 ? refused : resolve(source, args, context, info);
    };
  }
}

function emptyPayloadOf(payload: unknown): Record<string, unknown> {
  if (!isObjectType(payload)) throw new Error('A mutation answers an object');
  const never = Object.values(payload.getFields()).filter(
    ({ name, type }) => name !== 'userErrors' && isNonNullType(type),
  );
  return Object.fromEntries(never.map(({ name, type }) => [name, NOTHING[String(getNullableType(type))]]));
}
