import { lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { Boundary } from './components/boundary.tsx';
import { Header } from './components/header.tsx';
import { Notice } from './components/notice.tsx';
import { Page } from './components/page.tsx';
import { Patience } from './components/patience.tsx';
import { isPageName, type PageName } from './page-names.ts';
import { Link, useAddress } from './router.tsx';

/** Returns a page whose script is loaded when it is first shown. */
const page = <Name extends string, Props extends object>(
  name: Name,
  load: () => Promise<Readonly<Record<Name, (props: Props) => ReactNode>>>,
) => lazy(async (): Promise<{ default: ComponentType<Props> }> => ({ default: (await load())[name] }));

const Author = page('Author', () => import('./pages/author.tsx'));
const Book = page('Book', () => import('./pages/book.tsx'));
const Copies = page('Copies', () => import('./pages/copies.tsx'));
const Diary = page('Diary', () => import('./pages/diary.tsx'));
const Feed = page('Feed', () => import('./pages/feed.tsx'));
const ActionLog = page('ActionLog', () => import('./pages/history.tsx'));
const Followers = page('Followers', () => import('./pages/follows.tsx'));
const Following = page('Following', () => import('./pages/follows.tsx'));
const Home = page('Home', () => import('./pages/home.tsx'));
const Import = page('Import', () => import('./pages/import-one.tsx'));
const Imports = page('Imports', () => import('./pages/import.tsx'));
const Libraries = page('Libraries', () => import('./pages/libraries.tsx'));
const List = page('List', () => import('./pages/list.tsx'));
const Lists = page('Lists', () => import('./pages/lists.tsx'));
const Login = page('Login', () => import('./pages/login.tsx'));
const LostPassword = page('LostPassword', () => import('./pages/lost-password.tsx'));
const Notifications = page('Notifications', () => import('./pages/notifications.tsx'));
const Profile = page('Profile', () => import('./pages/profile.tsx'));
const Reader = page('Reader', () => import('./pages/reader.tsx'));
const ReaderYear = page('ReaderYear', () => import('./pages/reader-year.tsx'));
const Register = page('Register', () => import('./pages/register.tsx'));
const Reset = page('Reset', () => import('./pages/reset.tsx'));
const Search = page('Search', () => import('./pages/search.tsx'));
const Sell = page('Sell', () => import('./pages/sell.tsx'));
const Series = page('Series', () => import('./pages/series.tsx'));
const Shelves = page('Shelves', () => import('./pages/shelves.tsx'));
const Verify = page('Verify', () => import('./pages/verify.tsx'));
const Year = page('Year', () => import('./pages/year.tsx'));

/** The pages by the first part of their paths. An id or a name, and a part of the page, may follow. */
const PAGES: Readonly<Record<PageName, (id: string, part: string, of: string) => ReactNode>> = {
  '': () => <Home />,
  author: (name) => <Author key={name} name={name} />,
  book: (id) => <Book key={id} id={id} />,
  copies: () => <Copies />,
  feed: () => <Feed />,
  history: (part) => (part === 'log' ? <ActionLog /> : <Diary year={part} />),
  import: (id) => (id === '' ? <Imports /> : <Import key={id} id={id} />),
  libraries: () => <Libraries />,
  list: (id) => <List key={id} id={id} />,
  lists: () => <Lists />,
  login: () => <Login />,
  'lost-password': () => <LostPassword />,
  notifications: () => <Notifications />,
  profile: () => <Profile />,
  reader: (id, part, of) => {
    if (part === 'year') return <ReaderYear id={id} year={of} />;
    if (part === 'followers') return <Followers key={id} id={id} />;
    return part === 'following' ? <Following key={id} id={id} /> : <Reader key={id} id={id} />;
  },
  register: () => <Register />,
  reset: () => <Reset />,
  search: () => <Search />,
  sell: () => <Sell />,
  series: (name) => <Series key={name} name={name} />,
  shelves: () => <Shelves />,
  verify: () => <Verify />,
  year: (year) => <Year year={year} />,
};

export function App() {
  const { pathname } = useAddress();
  const [, page = '', id = '', part = '', of = ''] = pathname.split('/').map(decoded);
  const show = isPageName(page) ? PAGES[page] : undefined;
  return (
    <>
      <Header />
      <Notice />
      <Patience />
      {show ? (
        <Boundary key={pathname}>
          <Suspense
            fallback={
              <p role="status" className="loading">
                Loading …
              </p>
            }
          >
            {show(id, part, of)}
          </Suspense>
        </Boundary>
      ) : (
        <Page title="Not found">
          <p>
            There is no such page. Go to the <Link to="/">first page</Link>, or search for a book above.
          </p>
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
