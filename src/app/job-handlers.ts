import type { JobHandler } from '../context/context.ts';
import type { JobPart, Feature } from '../feature/feature.ts';
import { inTurn } from '../jobs/operations.ts';

/**
 * Makes the handler of each kind of job from the handlers and parts that features have for it.
 * @throws {Error} if several features handle the same kind of job and do not name different parts
 */
export function handlersOf(features: readonly Feature[]): Readonly<Record<string, JobHandler>> {
  const given = Map.groupBy(
    features.flatMap(({ jobs = {} }) => Object.entries(jobs)),
    ([kind]) => kind,
  );
  return Object.fromEntries(
    [...given].map(([kind, works]) => [
      kind,
      handlerOf(
        kind,
        works.map(([, work]) => work),
      ),
    ]),
  );
}

function handlerOf(kind: string, works: readonly (JobHandler | readonly JobPart[])[]): JobHandler {
  const [first] = works;
  if (typeof first === 'function' && works.length === 1) return first;

  const parts = works.flatMap((work) => (typeof work === 'function' ? [] : work));
  if (works.some((work) => typeof work === 'function') || new Set(parts.map(({ name }) => name)).size < parts.length)
    throw new Error(`Several features have jobs of the kind ${kind}: each needs parts with different names`);
  return inTurn([...parts.filter(({ isLast }) => !isLast), ...parts.filter(({ isLast }) => isLast)]);
}
