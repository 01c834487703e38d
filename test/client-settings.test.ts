import { expect, test } from 'vitest';
import type { Config } from '../src/config/config.ts';
import { sharedKeyspace, startServer } from './support/app.ts';

/** The settings of a server that its clients ask for. */

async function settingsOf(config: Config): Promise<unknown> {
  const { client } = await startServer(config);
  const fields = 'passwordLengthMin passkeyOrigins hasSecondFactors sendsEmails emailVerification avatarHosts';
  return (await client().data(`{ settings { ${fields} } }`)) as unknown;
}

test('a visitor learns what a server is set up for', async () => {
  const config = await sharedKeyspace({
    PASSWORD_LENGTH_MIN: '15',
    PASSKEY_ORIGINS: 'https://books.example, https://app.books.example',
    EMAIL_VERIFICATION: 'required',
    AVATAR_HOSTS: 'faces.example',
  });
  expect(await settingsOf(config)).toEqual({
    settings: {
      passwordLengthMin: 15,
      passkeyOrigins: ['https://books.example', 'https://app.books.example'],
      hasSecondFactors: true,
      sendsEmails: true,
      emailVerification: 'REQUIRED',
      avatarHosts: ['faces.example'],
    },
  });
  expect(await settingsOf(await sharedKeyspace({ EMAIL_VERIFICATION: 'asked' }))).toMatchObject({
    settings: { emailVerification: 'ASKED' },
  });
});

test('a visitor learns what a server is not set up for', async () => {
  const config = await sharedKeyspace({ TWO_FACTOR_KEYS: undefined });
  expect(await settingsOf({ ...config, mail: { ...config.mail, folder: undefined } })).toEqual({
    settings: {
      passwordLengthMin: 8,
      passkeyOrigins: [],
      hasSecondFactors: false,
      sendsEmails: false,
      emailVerification: 'ON_REQUEST',
      avatarHosts: [],
    },
  });
});
