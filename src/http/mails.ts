import type { FastifyInstance } from 'fastify';
import { isLoopback, type Config } from '../config/config.ts';
import { newestMails } from '../mail/folder.ts';
import { bodyOf } from './errors.ts';

const MAILS_SHOWN = 20;

/**
 * Serves a page of the newest mails, for development: whoever reads it gets into accounts. So it is only for a browser that was told to
 * open this machine: the page of another site whose name was made to resolve to it (DNS rebinding) asks for that name.
 */
export function serveMails(server: FastifyInstance, { http }: Config, folder: string): void {
  server.get('/mails', async ({ headers }, reply) => {
    if (isOwnHost(http.host, headers.host)) return reply.type('text/html; charset=utf-8').send(await mailsPage(folder));
    const message = `Mails are shown on this machine alone: open http://localhost:${http.port}/mails.`;
    return reply.code(403).send(bodyOf('FORBIDDEN', message));
  });
}

/**
 * True for a `Host` that is this machine: localhost, a loopback address, or the address that the server listens on.
 * @param host with or without a port
 */
function isOwnHost(listensOn: string, host = ''): boolean {
  const [, name = ''] = /^\[?([\w.:-]+?)\]?(?::\d+)?$/.exec(host.toLowerCase()) ?? [];
  return isLoopback(name) || name === listensOn.toLowerCase();
}

/** The newest mails, each as text, with its links. */
async function mailsPage(folder: string): Promise<string> {
  const mails = await newestMails(folder, MAILS_SHOWN);
  const shown = mails.map((mail) => `<hr><pre>${linked(escaped(mail))}</pre>`);
  return `<!doctype html><title>Mails</title><h1>The last mails, newest first</h1>${shown.join('') || 'There is none yet.'}`;
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const linked = (html: string) => html.replace(/https?:\/\/[^\s<]+/g, (link) => `<a href="${link}">${link}</a>`);
