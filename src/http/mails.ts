import { newestMails } from '../mail/folder.ts';

const MAILS_SHOWN = 20;

/** A page of the newest mails, for development: each as text, with its links. */
export async function mailsPage(folder: string): Promise<string> {
  const mails = await newestMails(folder, MAILS_SHOWN);
  const shown = mails.map((mail) => `<hr><pre>${linked(escaped(mail))}</pre>`);
  return `<!doctype html><title>Mails</title><h1>The last mails, newest first</h1>${shown.join('') || 'There is none yet.'}`;
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const linked = (html: string) => html.replace(/https?:\/\/[^\s<]+/g, (link) => `<a href="${link}">${link}</a>`);
