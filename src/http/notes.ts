import type { RequestStep } from './steps.ts';

/** The step that adds the notes of a request to the `extensions` of its answer. */
export const addNotes: RequestStep = {
  beforeAnswer: ({ response: { body }, contextValue: { notes } }) => {
    if (notes && body.kind === 'single') body.singleResult.extensions = { ...body.singleResult.extensions, ...notes };
  },
};
