import { useId, type SubmitEvent } from 'react';

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
    [...new Set([chosen, ...names])].map((name) => (
      <option key={name} value={name}>
        {name || 'Choose …'}
      </option>
    ));
  return (
    <form className="line" aria-label="Place" onSubmit={find}>
      <label>
        Country
        <select value={place.country} onChange={({ target }) => choose({ country: target.value, state: '', city: '' })}>
          {options(countries, place.country)}
        </select>
      </label>
      <label>
        State
        <select value={place.state} onChange={({ target }) => choose({ ...place, state: target.value, city: '' })}>
          {options(states, place.state)}
        </select>
      </label>
      <label>
        City
        <input name="city" list={id} defaultValue={place.city} required disabled={!place.state} />
        <datalist id={id}>
          {cities.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </label>
      <button className="primary">Find libraries</button>
    </form>
  );
}
