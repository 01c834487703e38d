import { useMutation } from '@apollo/client/react';
import type { ReactNode, SubmitEvent } from 'react';
import { forgetSession, session } from '../auth.ts';
import { LogoutDocument } from '../documents.generated.ts';
import { forgetDrafts } from '../drafts.ts';
import { messageOf } from '../errors.ts';
import { notify } from '../notices.ts';
import { Link, navigate, pathTo, useAddress } from '../router.tsx';
import { useSession } from '../session.ts';
import { Unread } from './unread.tsx';

/** The links, the search and the login, on top of every page. */
export function Header() {
  const reader = useSession();
  const { pathname, searchParams } = useAddress();
  const [logout] = useMutation(LogoutDocument);
  const search = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const query = new FormData(event.currentTarget).get('q') as string;
    navigate(pathTo('/search', { q: query.trim() }));
  };
  const leave = async () => {
    try {
      await logout();
    } catch (error) {
      // Only the server can remove the cookie, so the reader stays logged in until it has.
      if (session()) return notify(messageOf(error));
    }
    forgetDrafts();
    forgetSession();
    navigate('/');
  };
  const item = (to: string, label: ReactNode) => (
    <Link to={to} aria-current={pathname === to ? 'page' : undefined}>
      {label}
    </Link>
  );
  return (
    <header>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <Link to="/" className="brand">
        Library
      </Link>
      <search>
        <form onSubmit={search}>
          <input
            key={searchParams.get('q')}
            name="q"
            type="search"
            aria-label="Search books"
            placeholder="Title, author or ISBN"
            defaultValue={searchParams.get('q') ?? ''}
          />
          <button>Search</button>
        </form>
      </search>
      <nav aria-label="Pages">
        {item('/search', 'Books')}
        {item('/copies', 'Copies')}
        {item('/libraries', 'Libraries')}
        {reader && item('/feed', 'Feed')}
        {reader && item('/shelves', 'Shelves')}
        {reader && item('/lists', 'Lists')}
        {reader && item('/history', 'History')}
        {reader && item('/sell', 'Sell')}
      </nav>
      <nav aria-label="Account">
        {reader ? (
          <>
            {item('/profile', reader.fullName)}
            {item(
              '/notifications',
              <>
                News <Unread />
              </>,
            )}
            <button className="plain" onClick={() => void leave()}>
              Log out
            </button>
          </>
        ) : (
          <>
            {item('/login', 'Log in')}
            {item('/register', 'Sign up')}
          </>
        )}
      </nav>
    </header>
  );
}
