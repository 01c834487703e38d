import { hash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { addTypenameToDocument } from '@apollo/client/utilities';
import {
  buildSchema,
  getNamedType,
  GraphQLError,
  isEnumType,
  isInputObjectType,
  Kind,
  NoUnusedFragmentsRule,
  parse,
  print,
  Source,
  specifiedRules,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type OperationDefinitionNode,
} from 'graphql';
import { dataOf, TypeWriter } from './codegen-types.ts';

/**
 * `npm run codegen`: checks every document in src against the schema, and makes their types and the
 * list of persisted documents. It exits with 1 if a document is wrong.
 */

const HERE = import.meta.dirname;
const SCHEMA = join(HERE, '../../schema.graphql');
/** Makes the documents of each file a file of their own, so that a page loads only what it sends. */
const FOLDER = join(HERE, 'src/documents');
const INDEX = join(HERE, 'src/documents.generated.ts');
const PERSISTED = join(HERE, 'persisted-documents.json');

const schema = buildSchema(new Source(readFileSync(SCHEMA, 'utf8'), 'schema.graphql'));
const files = globSync('src/**/*.graphql', { cwd: HERE }).toSorted();
const parsed = files.map((file) => parse(new Source(readFileSync(join(HERE, file), 'utf8'), file)));
const all: DocumentNode = { kind: Kind.DOCUMENT, definitions: parsed.flatMap(({ definitions }) => definitions) };

const fragments = all.definitions.filter(
  (node): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION,
);
const operations = all.definitions.filter(
  (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
);

/** Returns a document with an operation or fragment, and with the fragments that it reaches. */
function documentOf(definition: OperationDefinitionNode | FragmentDefinitionNode): DocumentNode {
  const reached = new Set<FragmentDefinitionNode>();
  const reach = (node: OperationDefinitionNode | FragmentDefinitionNode): unknown =>
    visit(node, {
      FragmentSpread: ({ name }) => {
        const fragment = fragments.find((each) => each.name.value === name.value);
        if (fragment === undefined || reached.has(fragment)) return;
        reached.add(fragment);
        reach(fragment);
      },
    });
  reach(definition);
  return addTypenameToDocument({ kind: Kind.DOCUMENT, definitions: [definition, ...reached] });
}

/** Returns the enums and input types that the documents name, and those within them. */
function typesNamed(): GraphQLNamedType[] {
  const named = new Set<GraphQLNamedType>();
  const add = (type: GraphQLNamedType) => {
    if (named.has(type) || !(isEnumType(type) || isInputObjectType(type))) return;
    named.add(type);
    if (isInputObjectType(type))
      for (const { type: inner } of Object.values(type.getFields())) add(getNamedType(inner));
  };
  const info = new TypeInfo(schema);
  const leave = () => {
    const type = info.getType();
    if (type) add(getNamedType(type));
  };
  visit(all, visitWithTypeInfo(info, { Field: { leave } }));
  for (const { variableDefinitions = [] } of operations)
    for (const { type } of variableDefinitions) {
      const name = /\w+/.exec(print(type))?.[0] ?? '';
      const named = schema.getType(name);
      if (named) add(named);
    }
  return [...named].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const problems: readonly GraphQLError[] = [
  ...validate(
    schema,
    all,
    specifiedRules.filter((rule) => rule !== NoUnusedFragmentsRule),
  ),
  ...operations
    .filter(({ name }) => name === undefined)
    .map((node) => new GraphQLError('An operation needs a name.', { nodes: node })),
];
if (problems.length > 0) {
  console.error(problems.map(String).join('\n\n'));
  process.exit(1);
}

const writer = new TypeWriter(schema, fragments);
const documents = operations.map((operation) => {
  const text = print(documentOf(operation));
  return { operation, name: operation.name?.value ?? '', text, id: hash('sha256', text) };
});

/** The fragments that no operation reaches: those that are written to the cache. */
const written = fragments.filter(
  (fragment) => !documents.some(({ text }) => text.includes(`fragment ${fragment.name.value} on `)),
);

/**
 * Returns the module with the documents of a file. They are parsed here, so that the client has no
 * parser.
 */
function moduleOf(of: readonly (typeof documents)[number][], alone: readonly FragmentDefinitionNode[]): string {
  const constOf = (name: string, text: string, types: string) =>
    `export const ${name}Document = ${JSON.stringify(parse(text, { noLocation: true }))} as unknown as TypedDocumentNode<${types}>;`;
  const consts = [
    ...of.map(({ operation: { operation }, name, text }) => {
      const data = dataOf(name, operation);
      return constOf(name, text, `types.${data}, types.${data}Variables`);
    }),
    ...alone.map((fragment) => {
      const name = `${fragment.name.value}Fragment`;
      return constOf(name, print(documentOf(fragment)), `types.${name}`);
    }),
  ];
  return `import type { TypedDocumentNode } from '@graphql-typed-document-node/core';\nimport type * as types from './types.ts';\n\n${consts.join('\n')}\n`;
}

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER);
writeFileSync(
  join(FOLDER, 'types.ts'),
  `// Made by codegen.ts from the documents in src and schema.graphql.
${typesNamed()
  .map((type) => writer.named(type))
  .join('\n')}
${fragments.map((fragment) => writer.fragment(fragment)).join('\n')}
${operations.map((operation) => writer.operation(operation)).join('\n')}
`,
);
const modules = files.flatMap((file, place) => {
  const { definitions = [] } = parsed[place] ?? {};
  const of = documents.filter(({ operation }) => definitions.includes(operation));
  const alone = written.filter((fragment) => definitions.includes(fragment));
  return of.length + alone.length > 0 ? [{ name: basename(file, '.graphql'), of, alone }] : [];
});
for (const { name, of, alone } of modules) writeFileSync(join(FOLDER, `${name}.ts`), moduleOf(of, alone));
writeFileSync(
  INDEX,
  `// Made by codegen.ts from the documents in src and schema.graphql.
export type * from './documents/types.ts';
${modules.map(({ name }) => `export * from './documents/${name}.ts';`).join('\n')}

/** The SHA-256 of each document, by the name of its operation. */
export const documentIds: Readonly<Record<string, string>> = ${JSON.stringify(
    Object.fromEntries(documents.map(({ name, id }) => [name, id])),
    null,
    2,
  )};
`,
);
writeFileSync(PERSISTED, JSON.stringify(Object.fromEntries(documents.map(({ id, text }) => [id, text])), null, 2));
