/** Does something as soon as there is room for it. */
export type AtOnce = <Result>(doing: () => Promise<Result>) => Promise<Result>;

/**
 * Makes what lets so many things be under way at once; others wait, in their order. Every statement goes through two of them, so while there is room
 * what is done is what is waited for, with no promise around it; p-limit makes eight for each.
 */
export function atMost(count: number): AtOnce {
  let free = count;
  const waiting: (() => void)[] = [];

  const end = () => {
    // Whoever waits takes the place of what has ended.
    const next = waiting.shift();
    if (next) next();
    else free++;
  };
  const begin: AtOnce = (doing) => {
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
