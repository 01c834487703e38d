/** Returns the years in which a reader may have liked something: the buckets of a list. */
export function yearsOfLikes(registeredAt: Date, now: Date) {
  const [first, last] = [registeredAt.getUTCFullYear(), now.getUTCFullYear()];
  return {
    column: 'year',
    values: Array.from({ length: last - first + 1 }, (_, index) => first + index),
    of: ({ liked_at }: { readonly liked_at: Date }) => liked_at.getUTCFullYear(),
  } as const;
}
