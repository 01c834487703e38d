/** A value that is there already, or comes. A page shows the same few fields of many things: a promise for each costs more than to look it up. */
export type Soon<Value> = Value | Promise<Value>;

/**
 * Goes on with a value: at once where it is there. What fails then fails as if it had come later, so that of a list only one element does. Not
 * called `then`: a module that exports that is a promise to whoever imports it dynamically.
 */
export function andThen<Value, Next>(value: Soon<Value>, next: (value: Value) => Soon<Next>): Soon<Next> {
  if (value instanceof Promise) return value.then(next);
  try {
    return next(value);
  } catch (error) {
    return Promise.reject(error instanceof Error ? error : new Error(String(error)));
  }
}

/** Several values: at once where all of them are there. */
export const all = <Value>(values: readonly Soon<Value>[]): Soon<Value[]> =>
  values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as Value[]);

/** Until everything that was asked for at this moment has been asked for, as DataLoader waits for it. */
export const endOfTick = () =>
  new Promise<void>((resolve) => {
    queueMicrotask(() => {
      process.nextTick(resolve);
    });
  });
