import graphql from '@graphql-eslint/eslint-plugin';

/** What Relay's server specification asks of a schema. */
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
          // The specification asks neither: what cannot be fetched again by an id, as an action or a genre, is no Node; and lists are
          // also of values, such as authors.
          shouldImplementNode: false,
          listTypeCanWrapOnlyEdgeType: false,
        },
      ],
    },
  },
];
