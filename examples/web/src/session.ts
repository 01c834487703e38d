import { useSyncExternalStore } from 'react';
import { onSessionChange, session, type Session } from './auth.ts';

/** Returns the session, and renders again when it changes. */
export const useSession = (): Session | undefined => useSyncExternalStore(onSessionChange, session);
