import type { ReactNode } from 'react';
import { Boundary } from './components/boundary.tsx';
import { Header } from './components/header.tsx';
import { Notice } from './components/notice.tsx';
import { Page } from './components/page.tsx';
import { Book } from './pages/book.tsx';
import { Copies } from './pages/copies.tsx';
import { History } from './pages/history.tsx';
import { Home } from './pages/home.tsx';
import { Import } from './pages/import-one.tsx';
import { Imports } from './pages/import.tsx';
import { Libraries } from './pages/libraries.tsx';
import { List } from './pages/list.tsx';
import { Lists } from './pages/lists.tsx';
import { Login } from './pages/login.tsx';
import { LostPassword } from './pages/lost-password.tsx';
import { Profile } from './pages/profile.tsx';
import { Reader } from './pages/reader.tsx';
import { Register } from './pages/register.tsx';
import { Reset } from './pages/reset.tsx';
import { Search } from './pages/search.tsx';
import { Sell } from './pages/sell.tsx';
import { Shelves } from './pages/shelves.tsx';
import { Verify } from './pages/verify.tsx';
import { Year } from './pages/year.tsx';
import { useAddress } from './router.tsx';

/** Each page by its path; the last part of the path may be an id. */
const PAGES: Readonly<Record<string, (id: string) => ReactNode>> = {
  '': () => <Home />,
  book: (id) => <Book key={id} id={id} />,
  copies: () => <Copies />,
  history: () => <History />,
  import: (id) => (id === '' ? <Imports /> : <Import key={id} id={id} />),
  libraries: () => <Libraries />,
  list: (id) => <List key={id} id={id} />,
  lists: () => <Lists />,
  login: () => <Login />,
  'lost-password': () => <LostPassword />,
  profile: () => <Profile />,
  reader: (id) => <Reader key={id} id={id} />,
  register: () => <Register />,
  reset: () => <Reset />,
  search: () => <Search />,
  sell: () => <Sell />,
  shelves: () => <Shelves />,
  verify: () => <Verify />,
  year: (year) => <Year year={year} />,
};

export function App() {
  const { pathname } = useAddress();
  const [, page = '', id = ''] = pathname.split('/').map(decoded);
  const show = Object.hasOwn(PAGES, page) ? PAGES[page] : undefined;
  return (
    <>
      <Header />
      <Notice />
      {show ? (
        <Boundary key={pathname}>{show(id)}</Boundary>
      ) : (
        <Page title="Not found">
          <p>There is no such page.</p>
        </Page>
      )}
    </>
  );
}

/** Returns a part of a path as text; a malformed one as it is, which is then no id of anything. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
