import { useState } from 'react';
import { Field } from './field.tsx';
import { useProblem } from './form.tsx';

/** The code of the second factor. The field appears once the server has asked for a code, and stays. */
export function CodeField() {
  const problem = useProblem('code');
  const [isAsked, setAsked] = useState(false);
  if (problem && !isAsked) setAsked(true);
  return isAsked ? (
    <Field
      name="code"
      label="Code"
      autoComplete="one-time-code"
      hint="The six digits that your app shows, or a recovery code."
    />
  ) : null;
}
