import { resolvers as accounts } from '../accounts/resolvers.ts';
import { resolvers as activity } from '../activity/resolvers.ts';
import { resolvers as administration } from '../administration/resolvers.ts';
import { resolvers as blocks } from '../blocks/resolvers.ts';
import { resolvers as catalogue } from '../catalogue/resolvers.ts';
import { resolvers as clicks } from '../clicks/resolvers.ts';
import { resolvers as events } from '../events/resolvers.ts';
import { resolvers as libraries } from '../libraries/resolvers.ts';
import { resolvers as likes } from '../likes/resolvers.ts';
import { resolvers as logins } from '../logins/resolvers.ts';
import { resolvers as market } from '../market/resolvers.ts';
import { resolvers as measurements } from '../measurements/resolvers.ts';
import { resolvers as reading } from '../reading/resolvers.ts';
import { resolvers as reports } from '../reports/resolvers.ts';
import { resolvers as security } from '../security/resolvers.ts';
import { resolvers as sessions } from '../sessions/resolvers.ts';
import { resolvers as takedowns } from '../takedowns/resolvers.ts';
import { resolvers as throttling } from '../throttling/resolvers.ts';
import { resolvers as views } from '../views/resolvers.ts';
import { resolvers as dataExport } from './export.ts';
import { resolvers as nodes } from './nodes.ts';
import type { GraphQLScalarType } from 'graphql';
import type { Resolvers, ResolversParentTypes } from '../graphql/resolvers.generated.ts';

/** The resolvers of all features. */
export const resolvers = [
  accounts,
  activity,
  administration,
  blocks,
  catalogue,
  clicks,
  dataExport,
  events,
  libraries,
  likes,
  logins,
  market,
  measurements,
  nodes,
  reading,
  reports,
  security,
  sessions,
  takedowns,
  throttling,
  views,
];

type Given = (typeof resolvers)[number];

/** `nodes` of a connection are filled by `nodesOfConnections`. */
type FieldsOf<Name extends keyof Resolvers> = Exclude<
  keyof NonNullable<Resolvers[Name]>,
  '__isTypeOf' | '__resolveType' | (Name extends `${string}Connection` ? 'nodes' : never)
>;

type ResolvedOf<Name, Each> = Each extends unknown ? (Name extends keyof Each ? keyof Each[Name] : never) : never;

/** The fields that a type's model has. The types of operations have no model. */
type ModelledOf<Name extends keyof Resolvers> = Name extends 'Query' | 'Mutation'
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
