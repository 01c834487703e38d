import { Link, pathNow, pathTo, pathToLogin } from '../router.tsx';
import { Page } from './page.tsx';

/** A page of a reader's own, for a visitor. */
export function NeedsLogin({ title }: { readonly title: string }) {
  return (
    <Page title={title}>
      <p>
        <Link to={pathToLogin()}>Log in</Link> to see this page, or{' '}
        <Link to={pathTo('/register', { next: pathNow() })}>sign up</Link>.
      </p>
    </Page>
  );
}
