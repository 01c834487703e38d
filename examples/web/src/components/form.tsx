import { createContext, use, useEffect, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { problemsOf, type Problem } from '../errors.ts';
import { Link } from '../router.tsx';

interface State {
  readonly problems: readonly Problem[];
  readonly name: (field: string) => void;
}

/** The problems of the form around a field, each at the field that the end of its path names. */
export const FormState = createContext<State>({ problems: [], name: () => undefined });

interface Props {
  readonly label: string;
  readonly button: string;
  /** Sends the form; returns the reasons why nothing was done. */
  readonly send: (values: FormData) => Promise<readonly Problem[]>;
  /** Called with the values after each change of a field. */
  readonly onType?: (values: FormData) => void;
  readonly children?: ReactNode;
}

/**
 * A form whose problems stand at their fields. The browser keeps what was typed, so nothing is lost
 * when the server refuses it.
 */
export function Form({ label, button, send, onType, children }: Props) {
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [isSending, setSending] = useState(false);
  const fields = useRef(new Set<string>());
  const form = useRef<HTMLFormElement>(null);

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSending) return;
    setSending(true);
    const found = await send(new FormData(event.currentTarget)).catch(problemsOf);
    setProblems(found);
    setSending(false);
    if (found.length === 0) forgetSecrets(form.current);
  };
  // The fields with problems are there only now.
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [problems]);

  const ofForm = problems.filter(({ path }) => !fields.current.has(path?.at(-1) ?? ''));
  return (
    <form
      ref={form}
      aria-label={label}
      className="form"
      noValidate
      onInput={onType && (({ currentTarget }) => onType(new FormData(currentTarget)))}
      onSubmit={(event) => void submit(event)}
    >
      <FormState value={{ problems, name: (field) => fields.current.add(field) }}>{children}</FormState>
      <div role="alert">
        {ofForm.map(({ code, message }) => (
          <p key={message} className="error">
            {message} {code === 'EMAIL_NOT_VERIFIED' && <Link to="/profile">My profile</Link>}
          </p>
        ))}
      </div>
      <button className="primary" aria-disabled={isSending}>
        {isSending ? 'One moment …' : button}
      </button>
    </form>
  );
}

/** Empties passwords and codes, which are not needed again once they were accepted. */
function forgetSecrets(form: HTMLFormElement | null): void {
  for (const input of form?.querySelectorAll('input') ?? [])
    if (input.type === 'password' || input.autocomplete === 'one-time-code') input.value = '';
}

/** Returns the problem of a field; the form no longer shows it as its own. */
export function useProblem(field: string): Problem | undefined {
  const { problems, name } = use(FormState);
  name(field);
  return problems.find(({ path }) => path?.at(-1) === field);
}
