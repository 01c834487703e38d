import type { ReactNode } from 'react';
import { Header } from './components/header.tsx';
import { Notice } from './components/notice.tsx';
import { Page } from './components/page.tsx';
import { Book } from './pages/book.tsx';
import { Home } from './pages/home.tsx';
import { Login } from './pages/login.tsx';
import { Register } from './pages/register.tsx';
import { useAddress } from './router.tsx';

/** Each page by its path; the last part of the path may be an id. */
const PAGES: Readonly<Record<string, (id: string) => ReactNode>> = {
  '': () => <Home />,
  book: (id) => <Book key={id} id={id} />,
  login: () => <Login />,
  register: () => <Register />,
};

export function App() {
  const { pathname } = useAddress();
  const [, page = '', id = ''] = pathname.split('/');
  const show = Object.hasOwn(PAGES, page) ? PAGES[page] : undefined;
  return (
    <>
      <Header />
      <Notice />
      {show ? (
        show(decodeURIComponent(id))
      ) : (
        <Page title="Not found">
          <p>There is no such page.</p>
        </Page>
      )}
    </>
  );
}
