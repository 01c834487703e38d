import { selectFrom } from '../cassandra/statement-builders.ts';
import { cql } from '../cassandra/columns.ts';
import { ringScan } from '../cassandra/ring.ts';
import { statement } from '../cassandra/statement.ts';

const key = { name: cql.text };
const lease = { epoch: cql.int, heartbeat: cql.int };

export const insertLease = statement({
  cql: `INSERT INTO leases (name, holder, epoch, heartbeat) VALUES (:name, :holder, :epoch, :heartbeat) IF NOT EXISTS`,
  params: { ...key, holder: cql.uuid, ...lease },
  row: cql.row({ ...key, holder: cql.uuid, ...lease }),
});

export const updateLease = statement({
  cql: `UPDATE leases SET holder = :holder, epoch = :epoch, heartbeat = :heartbeat WHERE name = :name
        IF epoch = :current_epoch AND heartbeat = :current_heartbeat`,
  params: { ...key, holder: cql.uuid, ...lease, current_epoch: cql.int, current_heartbeat: cql.int },
  row: cql.row(lease),
});

export const selectLease = selectFrom('leases', key, { holder: cql.uuid, ...lease });

export const scanLeases = ringScan('leases', key, { ...key, ...lease });
