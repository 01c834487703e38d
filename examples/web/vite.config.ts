import { defaultClientConditions, defineConfig, type Plugin } from 'vite';
import { PAGE_NAMES } from './src/page-names.ts';

const API = process.env['API'] ?? 'http://localhost:4000';
const PERSISTED = process.env['VITE_PERSISTED_DOCUMENTS'] ?? '';

/** Writes the names of all pages for the server, in dist/pages.json. */
const pageNames: Plugin = {
  name: 'page-names',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(PAGE_NAMES) });
  },
};

/** The page is served below `/app`, and asks the server that it came from. */
export default defineConfig({
  base: '/app/',
  plugins: [pageNames],
  // A constant, so that a script that sends texts contains no hashes.
  define: { 'import.meta.env.VITE_PERSISTED_DOCUMENTS': JSON.stringify(PERSISTED) },
  // The build of rxjs for browsers that have classes is smaller than the one that vite takes otherwise.
  resolve: { conditions: ['es2015', ...defaultClientConditions] },
  build: {
    // A picture as data: in a stylesheet would need a source of its own in the CSP.
    assetsInlineLimit: 0,
    target: 'es2023',
    rolldownOptions: {
      // Each page is a file, and so is what it does once it is shown. What several pages may need is
      // one, so that a page waits for few files.
      output: {
        codeSplitting: {
          groups: [{ name: 'shared', test: /node_modules\/(?!uqr\/)|\/src\/(?!pages\/|parts\/|documents|live\/)/ }],
        },
      },
    },
  },
  server: { proxy: { '/graphql': API, '/import-my-library': API, '/export-my-data': API, '/pictures': API } },
});
