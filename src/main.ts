import { serve } from './serve.ts';

/** The entry point of a server in production. The settings name its Cassandra. */

await serve();
