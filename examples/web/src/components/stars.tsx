/** Five stars, filled from the left as far as a rating goes. The text beside them says the number. */
export function Stars({ value }: { readonly value: number }) {
  return (
    <span className="stars" aria-hidden="true">
      ★★★★★
      <span style={{ width: `${value * 20}%` }}>★★★★★</span>
    </span>
  );
}

/** A rating as stars alone; screen readers say its number. */
export function Rating({ value }: { readonly value: number }) {
  return (
    <>
      <Stars value={value} /> <span className="hidden">{value} of 5</span>
    </>
  );
}
