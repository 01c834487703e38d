import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client.ts';

/** An import in the form that tests compare. */
export interface Import {
  readonly id: string;
  readonly source: string;
  readonly status: string;
  readonly lines: number;
  readonly progress: number;
  readonly pending: number;
  readonly matched: number;
  readonly ambiguous: number;
  readonly unlisted: number;
  readonly failed: number;
  readonly notKept: number;
  readonly shelves: readonly {
    readonly name: string;
    readonly lines: number;
    readonly becomes: string | null;
    readonly isOwn: boolean;
  }[];
  readonly rows: readonly {
    readonly line: number;
    readonly title: string;
    readonly authors: readonly string[];
    readonly fate: string;
    readonly reason: string | null;
    readonly book: { readonly id: string; readonly authors: readonly string[] } | null;
    readonly candidates: readonly { readonly id: string }[];
  }[];
}

const LOOK_MS = 50;

/** Reads an import with its first 100 lines. */
export async function importOf(reader: Client, id: string): Promise<Import> {
  const { node } = await reader.data(
    `query ($id: ID!) { node(id: $id) { ... on LibraryImport {
      id source status lines progress pending matched ambiguous unlisted failed notKept shelves { name lines becomes isOwn }
      rows(first: 100) { nodes { line title authors fate reason book { id authors } candidates { id } } }
    } } }`,
    { id },
  );
  return { ...node, rows: node.rows.nodes };
}

/** Sends a file, and waits until all of its lines have their fates. */
export async function untilImported(reader: Client, file: Buffer): Promise<Import> {
  const answer = await reader.importMyLibrary(file);
  const { id } = (await answer.json()) as { id?: string };
  if (id === undefined) throw new Error(`The file was refused with ${answer.status}`);
  for (;;) {
    const found = await importOf(reader, id);
    if (found.status === 'DONE') return found;
    await sleep(LOOK_MS);
  }
}
