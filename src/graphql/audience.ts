/** The audiences that a reader can choose for their data. */
export const AUDIENCES = ['EVERYONE', 'SIGNED_IN', 'ONLY_ME'] as const;
