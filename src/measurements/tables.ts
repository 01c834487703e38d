import { z } from 'zod';
import { insertInto } from '../cassandra/by-key.ts';
import { cql } from '../cassandra/columns.ts';
import { statement } from '../cassandra/statement.ts';

// measurements: what servers measure of themselves.

const seriesOfDay = { series: cql.text, day: cql.date };
const point = { at: cql.timestamp, server_id: cql.uuid, value: cql.double };

export const insertMeasurement = insertInto('measurements', { ...seriesOfDay, ...point }, 'TTL');

export const selectMeasurements = statement({
  cql: `SELECT at, server_id, value FROM measurements WHERE series = :series AND day = :day
        AND at >= :at_least AND at < :below LIMIT :rows_max`,
  params: { ...seriesOfDay, at_least: cql.timestamp, below: cql.timestamp, rows_max: cql.int },
  row: cql.row(point),
});
export type MeasurementRow = z.output<typeof selectMeasurements.row>;
