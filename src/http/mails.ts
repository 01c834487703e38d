import { escapeUTF8 } from 'entities/escape';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { isLoopback } from '../config/settings.ts';
import { newestMails } from '../mail/folder.ts';
import { bodyOf } from './errors.ts';

const MAILS_SHOWN = 20;

/**
 * Serves a page of the newest mails, for development. The mails give access to accounts, so the
 * page is served only when the request names this machine as its host. A page of another site whose
 * name resolves to this machine (DNS rebinding) sends that other name.
 */
export function serveMails(server: FastifyInstance, { http }: Config, folder: string): void {
  server.get('/mails', async ({ headers }, reply) => {
    if (isOwnHost(http.host, headers.host)) return reply.type('text/html; charset=utf-8').send(await mailsPage(folder));
    const message = `Mails are shown on this machine alone: open http://localhost:${http.port}/mails.`;
    return reply.code(403).send(bodyOf('FORBIDDEN', message));
  });
}

/**
 * True for a `Host` header that names this machine: localhost, a loopback address, or the address
 * that the server listens on.
 * @param host with or without a port
 */
function isOwnHost(listensOn: string, host = ''): boolean {
  const [, name = ''] = /^\[?([\w.:-]+?)\]?(?::\d+)?$/.exec(host.toLowerCase()) ?? [];
  return isLoopback(name) || name === listensOn.toLowerCase();
}

/** Returns a page of the newest mails as text, with their links. */
async function mailsPage(folder: string): Promise<string> {
  const mails = await newestMails(folder, MAILS_SHOWN);
  const shown = mails.map((mail) => `<hr><pre>${linked(escapeUTF8(mail))}</pre>`);
  const list = shown.join('') || 'There is none yet.';
  return `<!doctype html><title>Mails</title><h1>The last mails, newest first</h1>${list}`;
}

const linked = (html: string) => html.replace(/https?:\/\/[^\s<]+/g, (link) => `<a href="${link}">${link}</a>`);
