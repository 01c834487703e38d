import graphql from '@graphql-eslint/eslint-plugin';

/** The rules of Relay's server specification for a schema. */
export default [
  {
    files: ['schema.graphql'],
    languageOptions: {
      parser: graphql.parser,
      parserOptions: { graphQLConfig: { schema: 'schema.graphql' } },
    },
    plugins: { '@graphql-eslint': graphql },
    rules: {
      ...graphql.configs['flat/schema-relay'].rules,
      '@graphql-eslint/relay-edge-types': [
        'error',
        {
          withEdgeSuffix: true,
          // The specification asks for neither: a type that cannot be fetched again by an id, as an
          // action or a genre, is no Node; and lists may have values, such as authors.
          shouldImplementNode: false,
          listTypeCanWrapOnlyEdgeType: false,
        },
      ],
    },
  },
];
