/** Who may see something of a reader's. */
export const AUDIENCES = ['EVERYONE', 'SIGNED_IN', 'ONLY_ME'] as const;
