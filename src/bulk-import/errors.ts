/** Thrown for a file that cannot be imported at all. */
export class ImportError extends Error {
  override name = 'ImportError';
}
