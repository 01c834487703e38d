import { fileURLToPath } from 'node:url';
import { renderAsync } from '@resvg/resvg-js';
import { escapeUTF8 } from 'entities/escape';
import { Recent } from '../cassandra/recent-reads.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { beginningOf } from '../text/text.ts';
import { HOUR_MS } from '../time/units.ts';
import type { ReadingStatistics } from './operations.ts';

/** The picture of a reader's year, which other sites show beside a link to it. */

/** The size that sites expect of such a picture, in pixels. */
const [WIDTH, HEIGHT] = [1_200, 630];
const NAME_LENGTH_MAX = 36;
const GENRES_SHOWN = 3;
const MONTHS = 'JFMAMJJASOND';
/** The place of the months: the left edge, the base line, and the maximum height of a bar. */
const [LEFT, BASE, BAR_HEIGHT] = [80, 540, 200];
const [MONTH_WIDTH, BAR_WIDTH] = [87, 55];

/** The fonts are part of the project: a server may have none, and two would draw differently. */
const FONTS = ['DejaVuSans', 'DejaVuSans-Bold'].map((name) =>
  fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)),
);
const font = { fontFiles: FONTS, loadSystemFonts: false, defaultFontFamily: 'DejaVu Sans' };

/** The pictures that were asked for lately, by what they show: none is ever out of date. */
const pictures = perProcess(
  ({ monotonicNow }) =>
    new Recent<Buffer>({
      name: 'YEAR_PICTURES',
      milliseconds: HOUR_MS,
      sizeMax: 8 * 1_024 * 1_024,
      sizeOf: (drawing, picture) => drawing.length + picture.length,
      monotonicNow,
    }),
);

/** Returns the picture of a reader's year, as PNG. */
export async function pictureOfYear(app: AppContext, fullName: string, statistics: ReadingStatistics): Promise<Buffer> {
  const drawing = drawingOf(fullName, statistics);
  const recent = pictures(app);
  return recent.kept(drawing) ?? recent.keep(drawing, async () => (await renderAsync(drawing, { font })).asPng());
}

/** Returns what a year has in words, such as `12 books, 3,400 pages`. */
export const yearInWords = ({ books, pages }: Pick<ReadingStatistics, 'books' | 'pages'>): string =>
  [counted(books, 'book'), ...(pages > 0 ? [counted(pages, 'page')] : [])].join(', ');

const counted = (count: number, noun: string) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

/** Draws a year as SVG. */
function drawingOf(fullName: string, { year, books, pages, months, genres }: ReadingStatistics): string {
  const beginning = beginningOf(fullName, NAME_LENGTH_MAX);
  const shortName = beginning === fullName ? fullName : `${beginning}…`;
  const most = Math.max(1, ...months.map((month) => month.books));
  const bars = months.map(({ month, books: finished }) => {
    const [x, height] = [LEFT + (month - 1) * MONTH_WIDTH, Math.round((BAR_HEIGHT * finished) / most)];
    const [middle, top] = [x + BAR_WIDTH / 2, BASE - height];
    return (
      `<rect x="${x}" y="${top}" width="${BAR_WIDTH}" height="${height}" rx="6" fill="#1d5c49"/>` +
      `<text x="${middle}" y="${BASE + 42}" class="month">${MONTHS.charAt(month - 1)}</text>` +
      (finished > 0 ? `<text x="${middle}" y="${top - 12}" class="month">${finished}</text>` : '')
    );
  });
  const favourites = genres.slice(0, GENRES_SHOWN).map(({ genre }) => genre);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
<style>
text { font-family: 'DejaVu Sans'; fill: #231f1a }
.soft { fill: #6b6257; font-size: 30px }
.month { fill: #6b6257; font-size: 24px; text-anchor: middle }
</style>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fbf8f2"/>
<text x="${LEFT}" y="104" class="soft">${escapeUTF8(`${shortName}, ${year}`)}</text>
<text x="${LEFT}" y="184" font-size="60" font-weight="bold">${yearInWords({ books, pages })}</text>
<text x="${LEFT}" y="240" class="soft">${escapeUTF8(favourites.join(' · '))}</text>
${bars.join('\n')}
</svg>`;
}
