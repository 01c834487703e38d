/** Returns a text of a form; undefined if its field is empty or not there. */
export const given = (values: FormData, name: string): string | undefined =>
  (values.get(name) as string | null) || undefined;

/** Returns a text of a form that the server is to judge, even if it is empty. */
export const text = (values: FormData, name: string): string => given(values, name) ?? '';
