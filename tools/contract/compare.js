import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';

/**
 * Compares schema.graphql with that of the last release, and exits with 1 if a client of the
 * release could break.
 */

const fileOf = (path) => fileURLToPath(new URL(path, import.meta.url));
const schemaOf = async (path) => buildSchema(await readFile(fileOf(path), 'utf8'));

/** Fields whose change could break a client, and was made all the same: see the changelog. */
const AGREED = new Set([
  // The title of a copy was shown although the copy is hidden from the caller.
  'LikeEdge.title',
  // The time at which some books were read is unknown.
  'ReadBookEdge.readAt',
  'ReadBookEdge.readOn',
]);

const changes = await diff(await schemaOf('released.graphql'), await schemaOf('../../schema.graphql'));
const told = changes.filter(({ criticality: { level } }) => level !== CriticalityLevel.NonBreaking);
for (const { criticality, message, path } of told) console.log(`${criticality.level}: ${message} (${path})`);

const isBreaking = ({ criticality: { level }, path }) => level === CriticalityLevel.Breaking && !AGREED.has(path);
const breaking = told.filter(isBreaking);
console.log(`${changes.length} changes since the last release, ${breaking.length} of them could break its clients`);
process.exitCode = breaking.length > 0 ? 1 : 0;
