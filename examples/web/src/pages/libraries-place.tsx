import { useId, type SubmitEvent } from 'react';
import { Choice, Field } from '../components/field.tsx';

interface Place {
  readonly country: string;
  readonly state: string;
  readonly city: string;
}
interface Props {
  readonly place: Place;
  readonly countries: readonly string[];
  readonly states: readonly string[];
  readonly cities: readonly string[];
  readonly choose: (place: Place) => void;
}

/** The choice of a place. A city can be typed, because a state may have more than fit a list. */
export function PlaceForm({ place, countries, states, cities, choose }: Props) {
  const id = useId();
  const find = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    choose({ ...place, city: (new FormData(event.currentTarget).get('city') as string).trim() });
  };
  const options = (names: readonly string[], chosen: string) =>
    [...new Set([chosen, ...names])].map((name) => [name, name || 'Choose …'] as const);
  return (
    <form className="line" aria-label="Place" onSubmit={find}>
      <Choice
        name="country"
        label="Country"
        value={place.country}
        options={options(countries, place.country)}
        onChange={({ target }) => choose({ country: target.value, state: '', city: '' })}
      />
      <Choice
        name="state"
        label="State"
        value={place.state}
        options={options(states, place.state)}
        onChange={({ target }) => choose({ ...place, state: target.value, city: '' })}
      />
      <Field
        name="city"
        label="City"
        list={id}
        defaultValue={place.city}
        required
        disabled={!place.state}
        placeholder={place.state ? '' : 'Choose a state first'}
      />
      <datalist id={id}>
        {cities.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <button className="primary">Find libraries</button>
    </form>
  );
}
