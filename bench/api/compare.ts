import { isDeepStrictEqual } from 'node:util';
import { ask } from '../http.ts';
import type { Data } from './shapes.ts';
import type { System } from './systems.ts';
import type { Asked } from './workloads.ts';

/** Checks that all systems give the same answers. A system with other answers is not measured. */

/**
 * Sends the same requests to all systems, one after the other, and compares the values of their
 * answers with those of the first one.
 * @param sequences the measured sequences; each reverts its changes before the next system is
 * called
 * @returns the number of answers compared
 * @throws if two differ, naming them
 */
export async function compareAnswers(
  systems: readonly System[],
  data: Pick<Data, 'readers'>,
  sequences: readonly (readonly Asked[])[],
): Promise<number> {
  let compared = 0;
  for (const sequence of sequences) {
    const answers = new Map<System, unknown[]>();
    for (const system of systems) answers.set(system, await answersOf(system, data, sequence));

    const [first, ...others] = systems;
    if (!first) throw new Error('There is no system to compare');
    for (const other of others) {
      for (const [index, asked] of sequence.entries()) {
        const [one, another] = [answers.get(first)?.[index], answers.get(other)?.[index]];
        if (!isDeepStrictEqual(one, another)) throw new Error(difference(asked, [first, one], [other, another]));
        compared++;
      }
    }
  }
  return compared;
}

async function answersOf(system: System, data: Pick<Data, 'readers'>, sequence: readonly Asked[]): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const asked of sequence) {
    const { query, variables } = system.request(asked);
    const answer = await ask<unknown>(system.url, data.readers[asked.reader]?.token ?? '', query, variables);
    answers.push(system.valuesOf(asked.operation, answer));
  }
  return answers;
}

const difference = (
  { operation, variables }: Asked,
  [one, itsAnswer]: readonly [system: System, answer: unknown],
  [other, otherAnswer]: readonly [system: System, answer: unknown],
) => {
  const [path, value, otherValue] = firstDifference(itsAnswer, otherAnswer, '') ?? ['', itsAnswer, otherAnswer];
  return (
    `The answers to ${operation} ${JSON.stringify(variables)} differ at ${path}:\n` +
    `  ${one.name}: ${JSON.stringify(value)}\n  ${other.name}: ${JSON.stringify(otherValue)}`
  );
};

/** Finds the first path at which two answers differ, and its values. */
function firstDifference(one: unknown, other: unknown, path: string): [string, unknown, unknown] | undefined {
  if (isDeepStrictEqual(one, other)) return undefined;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return [path, one, other];

  const [its, others] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  for (const name of new Set([...its.keys(), ...others.keys()])) {
    const found = firstDifference(its.get(name), others.get(name), `${path}.${name}`);
    if (found) return found;
  }
  return [path, one, other];
}
