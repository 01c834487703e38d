interface Props<Value extends string> {
  readonly label: string;
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly chosen: Value;
  readonly choose: (value: Value) => void;
}

/** Buttons of which one is pressed: what a list shows, or in which order. */
export function Choices<Value extends string>({ label, options, chosen, choose }: Props<Value>) {
  return (
    <div role="group" aria-label={label} className="tags">
      {options.map(([value, text]) => (
        <button key={value} aria-pressed={value === chosen} onClick={() => choose(value)}>
          {text}
        </button>
      ))}
    </div>
  );
}
