/** Runs a function as soon as the limit allows it. */
export type ConcurrencyLimit = <Result>(doing: () => Promise<Result>) => Promise<Result>;

/**
 * Returns a limiter that runs up to `count` calls at the same time and queues the others in order.
 * Every statement passes two limiters. Below the limit, the caller therefore gets the original
 * promise without a wrapper; p-limit allocates eight promises per call.
 */
export function atMost(count: number): ConcurrencyLimit {
  let free = count;
  const waiting: (() => void)[] = [];

  const end = () => {
    // The next call in the queue replaces the call that ended.
    const next = waiting.shift();
    if (next) next();
    else free++;
  };
  const begin: ConcurrencyLimit = (doing) => {
    const done = doing();
    done.then(end, end);
    return done;
  };

  return (doing) => {
    if (free === 0) return new Promise<void>((resolve) => waiting.push(resolve)).then(() => begin(doing));

    free--;
    return begin(doing);
  };
}
