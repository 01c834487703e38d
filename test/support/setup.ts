import { afterAll } from 'vitest';
import { endAll } from './app.ts';

/**
 * This hook runs after every test file. The modules of a file stay for the next ones in the same
 * process.
 */
afterAll(endAll);
