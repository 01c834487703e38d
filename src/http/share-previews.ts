import { escapeUTF8 } from 'entities/escape';
import type { FastifyRequest } from 'fastify';
import type { AppContext, RequestContext } from '../context/context.ts';
import { RequestError } from '../graphql/errors.ts';
import { decodeId, type NodeType } from '../graphql/ids.ts';
import type { Models } from '../graphql/models.ts';
import { shownAvatar } from '../identity/operations.ts';
import { shownReader } from '../identity/privacy.ts';
import { yearInWords } from '../statistics/picture.ts';
import { beginningOf } from '../text/text.ts';
import type { Admission } from './admission.ts';
import { logFailure } from './request-log.ts';
import { readAsVisitor } from './visitors.ts';
import { yearAt, yearPicturePath } from './year-pictures.ts';

/**
 * Previews of the web client's pages: the title, description and picture that other sites show
 * beside a link. A preview shows only what a signed-out visitor may see.
 */

/** The path below which the web client is served. */
export const WEB_CLIENT_PATH = '/app/';

/** The preview of a page. */
export interface Preview {
  readonly title: string;
  readonly description: string;
  readonly imageUrl?: string | null | undefined;
  /** The address of the page, as the caller reaches this server. */
  readonly url: string;
}

/**
 * Returns the preview of the page at a path; null if the page shows nothing to a visitor,
 * `undefined` if the page has no preview or it cannot be read now.
 */
export type PreviewOf = (path: string, request: FastifyRequest) => Promise<Preview | null | undefined>;

type Previewed = 'Book' | 'BookList' | 'User';

/** The types of the objects that pages show, by the first part of the path. */
const TYPES: Readonly<Record<string, Previewed>> = { book: 'Book', list: 'BookList', reader: 'User' };

const DESCRIPTION_LENGTH_MAX = 200;

/** Makes previews. They are read as queries are: with their limits, and at the caller's expense. */
export const sharePreviews =
  (app: AppContext, admission: Admission): PreviewOf =>
  async (path, request) => {
    const [page = '', id = '', part, year = ''] = path.split('/');
    const type = Object.hasOwn(TYPES, page) ? TYPES[page] : undefined;
    if (!type) return undefined;
    const found = decodeId(id);
    if (found?.type !== type) return null;

    const origin = `${request.protocol}://${request.host}`;
    try {
      return await readAsVisitor(app, admission, request, (context) =>
        part === 'year' && type === 'User'
          ? previewOfYear(context, id, year, origin)
          : previewOf(context, type, found.key, `${origin}${WEB_CLIENT_PATH}${page}/${encodeURIComponent(id)}`),
      );
    } catch (error) {
      // The page itself tells its reader about limits.
      if (!(error instanceof RequestError)) logFailure(request, error);
      return undefined;
    }
  };

async function previewOf(context: RequestContext, type: Previewed, key: string, url: string): Promise<Preview | null> {
  const find = <Type extends NodeType>(of: Type): Promise<Models[Type] | null> =>
    context.nodeTypes[of].find(context, key);
  switch (type) {
    case 'Book': {
      const book = await find(type);
      return book && { title: book.title, description: `By ${book.authors.join(', ')}.`, imageUrl: book.coverUrl, url };
    }
    case 'BookList': {
      const list = await find(type);
      const owner = list?.ownerId == null ? null : await shownReader(context, list.ownerId);
      return (
        list && owner && { title: list.title, description: list.description ?? `A list by ${owner.fullName}.`, url }
      );
    }
    case 'User': {
      const reader = await shownReader(context, key);
      return (
        reader && {
          title: reader.fullName,
          description: reader.bio ?? `What ${reader.fullName} shows to others.`,
          imageUrl: shownAvatar(context, reader),
          url,
        }
      );
    }
  }
}

async function previewOfYear(
  context: RequestContext,
  readerId: string,
  year: string,
  origin: string,
): Promise<Preview | null> {
  const found = await yearAt(context, readerId, year);
  return (
    found && {
      title: `${found.fullName}: ${year} in books`,
      description: `${yearInWords(found.statistics)}.`,
      imageUrl: `${origin}${yearPicturePath(readerId, found.statistics.year)}`,
      url: `${origin}${WEB_CLIENT_PATH}reader/${encodeURIComponent(readerId)}/year/${found.statistics.year}`,
    }
  );
}

/** The tags of a page that a preview replaces. */
const REPLACED = /<meta name="description"[^>]*>|<title>.*?<\/title>/gs;

/** Returns the HTML of a page with the tags of a preview, in the format of ogp.me. */
export function withPreview(html: string, { title, description, imageUrl, url }: Preview): string {
  const short = beginningOf(description, DESCRIPTION_LENGTH_MAX);
  const properties = { title, description: short, type: 'website', url, ...(imageUrl != null && { image: imageUrl }) };
  const tags = [
    `<title>${escapeUTF8(title)} – Library</title>`,
    `<meta name="description" content="${escapeUTF8(short)}">`,
    ...Object.entries(properties).map(
      ([name, content]) => `<meta property="og:${name}" content="${escapeUTF8(content)}">`,
    ),
  ];
  return html.replaceAll(REPLACED, '').replace('</head>', () => `${tags.join('')}</head>`);
}
