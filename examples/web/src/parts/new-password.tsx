import { Field } from '../components/field.tsx';
import { useSettings } from './settings.ts';

interface Props {
  readonly name: string;
  readonly label: string;
}

/** A field for a new password, which says how long it must be. */
export function NewPassword({ name, label }: Props) {
  const settings = useSettings();
  // The space keeps the place of the hint, so that nothing moves when it comes.
  const hint = settings ? `At least ${settings.passwordLengthMin} characters.` : '\u00A0';
  return <Field name={name} label={label} type="password" autoComplete="new-password" hint={hint} />;
}
