/**
 * A known value, or a promise of it. A page shows the same few fields of many objects, and a
 * promise for each field costs more than the lookup.
 */
export type MaybePromise<Value> = Value | Promise<Value>;

/**
 * Calls `next` with a value, synchronously if it is known. An error becomes a rejected promise, as
 * for a value that is not known yet, so that it fails only one element of a list. It is not called
 * `then`, because a module that exports `then` is a promise when it is imported dynamically.
 */
export function andThen<Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  if (value instanceof Promise) return value.then(next);
  try {
    return next(value);
  } catch (error) {
    return Promise.reject(error instanceof Error ? error : new Error(String(error)));
  }
}

/** Returns several values, synchronously if all of them are known. */
export const all = <Value>(values: readonly MaybePromise<Value>[]): MaybePromise<Value[]> =>
  values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as Value[]);

/**
 * Resolves when all loads of the current tick have been requested, which is when DataLoader
 * dispatches its batch.
 */
export const endOfTick = () =>
  new Promise<void>((resolve) => {
    queueMicrotask(() => {
      process.nextTick(resolve);
    });
  });
