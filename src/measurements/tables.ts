import { insertInto, selectBetween } from '../cassandra/statement-builders.ts';
import { cql, type Values } from '../cassandra/columns.ts';

// measurements: the figures that servers measure of themselves.

const seriesOfDay = { series: cql.text, day: cql.date };
const point = { at: cql.timestamp, server_id: cql.uuid, value: cql.double };

export const insertMeasurement = insertInto('measurements', { ...seriesOfDay, ...point }, 'TTL');

export const selectMeasurements = selectBetween('measurements', seriesOfDay, 'at', point);
export type MeasurementRow = Values<typeof point>;
