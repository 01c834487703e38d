import type { Client } from 'cassandra-driver';
import { declaredSchema } from '../../src/schema/declared.ts';
import type { Judgement } from './judgements.ts';

/** The table options on which promises depend, with Cassandra's default and the reason. */
const OPTIONS = [
  { name: 'gc_grace_seconds', unset: '864000', because: 'repairs and purges are planned with it' },
  { name: 'default_time_to_live', unset: '0', because: 'rows are kept too long, or not long enough' },
  { name: 'read_repair', unset: 'BLOCKING', because: 'a read could repair only a part of a batch' },
] as const;

/** Checks the options of the existing tables. */
export async function judgeOptions(client: Client, keyspace: string): Promise<Judgement[]> {
  const { rows } = await client.execute(
    `SELECT table_name, gc_grace_seconds, default_time_to_live, read_repair
     FROM system_schema.tables WHERE keyspace_name = ?`,
    [keyspace],
    { prepare: true },
  );
  const stored = new Map(rows.map((row) => [row['table_name'] as string, row]));
  const wrong = (await declaredSchema()).tables.flatMap(({ name, options }) => {
    const row = stored.get(name);
    return row === undefined
      ? []
      : OPTIONS.flatMap((option): Judgement[] => {
          const declared = new RegExp(`\\b${option.name} = '?(\\w+)`).exec(options)?.[1] ?? option.unset;
          const found = String(row[option.name]);
          if (found === declared) return [];
          const advice =
            `It should be ${declared}, or ${option.because}. ` +
            `Run ALTER TABLE ${keyspace}.${name} WITH ${option.name} = ….`;
          return [{ verdict: 'warn', what: `${option.name} of ${name}`, found, advice }];
        });
  });
  return wrong.length > 0
    ? wrong
    : [{ verdict: 'ok', what: `options of the tables of ${keyspace}`, found: 'as declared', advice: '' }];
}
