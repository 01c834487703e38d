import type { GraphQLScalarType } from 'graphql';
import type { Resolvers, ResolversParentTypes } from '../graphql/generated/resolver-types.ts';
import { features, type FeatureResolvers } from '../features.ts';
import { resolvers as dataExport } from './export.ts';
import { resolvers as nodes } from './nodes.ts';

/** The resolvers of all features, and those of the server itself. */
export const resolvers: readonly Resolvers[] = [
  ...features.flatMap((feature) => feature.resolvers ?? []),
  dataExport,
  nodes,
];

type Given = FeatureResolvers | typeof dataExport | typeof nodes;

/** `nodes` of a connection are filled by `nodesOfConnections`. */
type FieldsOf<Name extends keyof Resolvers> = Exclude<
  keyof NonNullable<Resolvers[Name]>,
  '__isTypeOf' | '__resolveType' | (Name extends `${string}Connection` ? 'nodes' : never)
>;

type ResolvedOf<Name, Each> = Each extends unknown ? (Name extends keyof Each ? keyof Each[Name] : never) : never;

/** The fields that a type's model has. The types of operations have no model. */
type ModelledOf<Name extends keyof Resolvers> = Name extends 'Query' | 'Mutation' | 'Subscription'
  ? never
  : keyof ResolversParentTypes[Name];

type UnfilledOf<Name extends keyof Resolvers> = Exclude<FieldsOf<Name>, ResolvedOf<Name, Given> | ModelledOf<Name>>;

/**
 * The fields of the schema that neither a resolver nor a model fills. The API would always answer
 * null for them.
 */
type Unfilled = {
  [Name in keyof Resolvers]-?: Resolvers[Name] extends GraphQLScalarType | undefined
    ? never
    : `${Name}.${string & UnfilledOf<Name>}`;
}[keyof Resolvers];

/** Compiles only if no field is unfilled. The compiler's error names the unfilled ones. */
type NoneOf<Fields extends never> = Fields;
export type NothingUnfilled = NoneOf<Unfilled>;
