import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mail } from './mail.ts';

/**
 * A folder that receives mails as files when no mail server is configured, for developers of
 * frontends.
 */

const MAILS_KEPT = 100;

/** Returns the names of the mails in a folder, newest first. */
const mailsIn = async (folder: string) =>
  (await readdir(folder))
    .filter((file) => file.endsWith('.txt'))
    .sort()
    .reverse();

/** Writes a mail as a readable file, and removes all but the newest ones. */
export async function writeMail(folder: string, { to, replyTo, subject, text }: Mail): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const answered = replyTo === undefined ? '' : `Reply-To: ${replyTo}\n`;
  const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID()}.txt`;
  await writeFile(join(folder, name), `To: ${to}\nSubject: ${subject}\n${answered}\n${text}`, { mode: 0o600 });
  for (const old of (await mailsIn(folder)).slice(MAILS_KEPT)) await rm(join(folder, old), { force: true });
}

/** Returns the texts of the newest mails, newest first. */
export async function newestMails(folder: string, count: number): Promise<string[]> {
  const files = await mailsIn(folder).catch(() => []);
  const texts = files.slice(0, count).map((file) => readFile(join(folder, file), 'utf8').catch(() => undefined));
  return (await Promise.all(texts)).filter((text) => text !== undefined);
}
