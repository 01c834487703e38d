import { serve } from './serve.ts';

/** A server for the Cassandra that the settings name, as production starts it. */

await serve();
