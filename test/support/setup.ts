import { afterAll } from 'vitest';
import { endAll } from './app.ts';

/**
 * This hook runs after every test file. The modules of a file are kept for the next files in the
 * same process.
 */
afterAll(endAll);
