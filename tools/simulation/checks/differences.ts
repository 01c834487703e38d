/** Lists the missing and the surplus rows of a table. */
export function* differences(table: string, wanted: readonly string[], found: readonly string[]): Generator<string> {
  const [isWanted, isFound] = [new Set(wanted), new Set(found)];
  for (const each of isWanted) if (!isFound.has(each)) yield `${table} lacks: ${each}`;
  for (const [index, each] of found.entries())
    if (!isWanted.has(each) || found.indexOf(each) !== index) yield `${table} has a surplus row: ${each}`;
}
