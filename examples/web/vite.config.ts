import { defineConfig } from 'vite';

const API = process.env['API'] ?? 'http://localhost:4000';

/** The page is served below `/app`, and asks the server that it came from. */
export default defineConfig({
  base: '/app/',
  // A picture as data: in a stylesheet would need a source of its own in the CSP.
  // All pages are one file of 150 kB, compressed. Only the QR code has its own.
  build: { assetsInlineLimit: 0, target: 'es2023', chunkSizeWarningLimit: 600 },
  server: { proxy: { '/graphql': API, '/import-my-library': API, '/export-my-data': API } },
});
