import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { ready, viewerOf } from '../api/token.ts';

/**
 * PostGraphile as its guide has it, with a connection to PostgreSQL for each of the load. If
 * SETTINGS is true, the reader is a setting of PostgreSQL, which needs a transaction for each
 * request.
 */

const hasSettings = process.env.SETTINGS === 'true';

const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [
    makePgService({
      connectionString: process.env.DATABASE_URL,
      schemas: ['public'],
      poolConfig: { max: Number(process.env.CONNECTIONS) },
    }),
  ],
  grafserv: { graphqlPath: '/graphql', graphiql: false, watch: false },
  grafast: {
    context: ({ node }) => {
      const viewer = viewerOf(node?.req.headers.authorization);
      return hasSettings ? { pgSettings: { 'jwt.claims.sub': viewer } } : {};
    },
  },
});

const server = createServer();
await instance.createServ(grafserv).addTo(server);
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  ready(port);
});
process.on('SIGTERM', () => process.exit(0));
