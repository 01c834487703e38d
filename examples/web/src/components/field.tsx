import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react';
import type { Problem } from '../errors.ts';
import { useProblem } from './form.tsx';

interface Props extends InputHTMLAttributes<HTMLInputElement> {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
}

/** An input with its label, its hint and its problem. */
export function Field({ name, label, hint, ...input }: Props) {
  return (
    <Labelled name={name} label={label} hint={hint}>
      {(described) => <input name={name} {...described} {...input} />}
    </Labelled>
  );
}

interface TextProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
}

/** A text of several lines. */
export function TextArea({ name, label, hint, ...area }: TextProps) {
  return (
    <Labelled name={name} label={label} hint={hint}>
      {(described) => <textarea name={name} {...described} {...area} />}
    </Labelled>
  );
}

interface ChoiceProps extends SelectHTMLAttributes<HTMLSelectElement> {
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, text: string])[];
}

/** A choice among few options. */
export function Choice({ name, label, options, ...select }: ChoiceProps) {
  return (
    <Labelled name={name} label={label}>
      {(described) => (
        <select name={name} {...described} {...select}>
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

/** A box to tick. */
export function Check({ name, label, ...input }: Omit<Props, 'hint'>) {
  const id = useId();
  const problem = useProblem(name);
  return (
    <div>
      <label className="check">
        <input
          type="checkbox"
          name={name}
          aria-invalid={problem !== undefined}
          aria-describedby={problem && `${id}-problem`}
          {...input}
        />
        <span>{label}</span>
      </label>
      <ProblemText id={id} problem={problem} />
    </div>
  );
}

interface Described {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string | undefined;
}
interface LabelledProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly children: (described: Described) => ReactNode;
}

function Labelled({ name, label, hint, children }: LabelledProps) {
  const id = useId();
  const problem = useProblem(name);
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ') || undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-invalid': problem !== undefined, 'aria-describedby': described })}
      {hint && (
        <span id={`${id}-hint`} className="note">
          {hint}
        </span>
      )}
      <ProblemText id={id} problem={problem} />
    </div>
  );
}

function ProblemText({ id, problem }: { readonly id: string; readonly problem: Problem | undefined }) {
  if (!problem) return null;
  return (
    <span id={`${id}-problem`} className="error" role="alert">
      {problem.message}
    </span>
  );
}
