/** Does something as soon as there is room for it. */
export type AtOnce = <Result>(doing: () => Promise<Result>) => Promise<Result>;

/**
 * Makes what lets so many things be under way at once; others wait, in their order. Every statement goes through two of them, so
 * while there is room this costs nothing; p-limit makes eight promises for each.
 */
export function atMost(count: number): AtOnce {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (doing) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));

    try {
      return await doing();
    } finally {
      // Whoever waits takes the place of what has ended.
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
