import { useQuery } from '@apollo/client/react';
import { SettingsDocument, type ServerSettingsFragment } from '../documents.generated.ts';

/** Returns the settings of the server; undefined until they are known. The page works without them. */
export const useSettings = (): ServerSettingsFragment | undefined =>
  useQuery(SettingsDocument).data?.settings ?? undefined;

/** Returns whether this page can ask for passkeys. */
export const takesPasskeys = (settings: ServerSettingsFragment | undefined): boolean =>
  'PublicKeyCredential' in globalThis && settings?.passkeyOrigins.includes(location.origin) === true;
