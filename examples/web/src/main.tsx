import { ApolloProvider } from '@apollo/client/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { onSessionEnd } from './auth.ts';
import { client } from './client.ts';
import { keepFocus } from './focus.ts';
import { notify } from './notices.ts';
import './styles.css';

onSessionEnd(() => notify('You were logged out: the session has ended. Log in to go on.'));

/** The page is shown first. */
const LIVE_AFTER_MS = 1_000;

const root = document.getElementById('root');
if (root) {
  keepFocus(root);
  createRoot(root).render(
    <StrictMode>
      <ApolloProvider client={client}>
        <App />
      </ApolloProvider>
    </StrictMode>,
  );
  // Without that script, numbers change only when they are asked for.
  const live = () => import('./live/live.ts').then(({ beginLive }) => beginLive(client));
  setTimeout(() => live().catch(() => undefined), LIVE_AFTER_MS);
}
