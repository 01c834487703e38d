import { afterAll } from 'vitest';
import { endAll } from './app.ts';

/** Runs before every test file; the modules of one stay for those behind it in the same process. */
afterAll(endAll);
