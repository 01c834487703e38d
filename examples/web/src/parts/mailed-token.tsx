import { Field } from '../components/field.tsx';
import { Link, useAddress } from '../router.tsx';

/** What a reader does with an email that was sent to them. */
export const OpenIt = ({ page }: { readonly page: '/reset' | '/verify' }) => (
  <>
    Open its link, or <Link to={page}>enter the token</Link> that it contains.
  </>
);

/** The token of an email, which its link brings; otherwise the reader enters it. */
export function TokenField() {
  // Browsers send nowhere what is behind the hash.
  const token = new URLSearchParams(useAddress().hash.slice(1)).get('token');
  if (token) return <input type="hidden" name="token" value={token} />;
  return <Field name="token" label="Token" autoComplete="off" hint="It is in the email." />;
}
