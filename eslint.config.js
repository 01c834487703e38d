import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['src/graphql/*.generated.ts', 'node_modules', '.cassandra', 'eslint.config.js'] },
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      // Numbers read well in templates.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // Apollo's and Fastify's hooks are async by contract.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    // What a client gets over HTTP has the type that its query asked for, which only the query knows.
    files: ['test/**'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
);
