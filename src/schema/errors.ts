/** The schema of the database does not suit this release, or cannot be changed now. */
export class SchemaError extends Error {
  override name = 'SchemaError';
}
