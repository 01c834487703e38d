import { readFileSync } from 'node:fs';

/**
 * The real server with a clock that can be set: `CLOCK_OFFSET_FILE` has the offset of its time of
 * day in milliseconds, and is read again at each SIGUSR2. The monotonic clock is unchanged, as when
 * an operator sets the clock.
 */

const TimeOfDay = Date;
const file = process.env['CLOCK_OFFSET_FILE'];
if (file === undefined) throw new Error('CLOCK_OFFSET_FILE is not set');
const readOffset = () => Number(readFileSync(file, 'utf8'));
let offset = readOffset();
process.on('SIGUSR2', () => {
  offset = readOffset();
});

globalThis.Date = new Proxy(TimeOfDay, {
  construct: (target, given, made) =>
    Reflect.construct(target, given.length === 0 ? [target.now() + offset] : given, made) as Date,
  get: (target, name, receiver): unknown =>
    name === 'now' ? () => target.now() + offset : Reflect.get(target, name, receiver),
});

await import('../../src/main.ts');
