import { types, type Client } from 'cassandra-driver';
import type { Cassandra } from './statement.ts';

/** The driver's own encoder, which its types lack. */
type Encoding = Client & {
  _getEncoder: () => { encode: (value: unknown, type: { code: types.dataTypes; info: unknown }) => Buffer };
};

/**
 * Encodes a value of a user-defined type. The driver sends a buffer unchanged, so a value that is
 * written into many rows is encoded once.
 * @param type the name of the type
 */
export async function encodeUdt({ client }: Cassandra, type: string, value: object): Promise<Buffer> {
  const info = await client.metadata.getUdt(client.keyspace, type);
  return (client as Encoding)._getEncoder().encode(value, { code: types.dataTypes.udt, info });
}
