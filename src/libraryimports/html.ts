import { decodeHTMLStrict } from 'entities/decode';

/** Converts HTML to the text that people read. The time is linear in the length. */

/** The elements by the line breaks that they need: 2 for an empty line around them. */
const BREAKS: ReadonlyMap<string, number> = new Map(
  [
    'a abbr acronym b bdi bdo big body caption cite code col colgroup del dfn em font head html i img ins kbd ' +
      'label link mark meta nobr q rp rt ruby s samp small source span spoiler strike strong sub sup tbody tfoot ' +
      'thead time tt u var wbr br script style td th',
    'address article aside center dd details div dt fieldset figcaption figure footer form header li main nav ' +
      'section summary table tr',
    'blockquote dl h1 h2 h3 h4 h5 h6 hr ol p pre ul',
  ].flatMap((names, breaks) => names.split(' ').map((name) => [name, breaks])),
);

/**
 * The beginning of a comment, a declaration, or a tag with its slash and its name. Only a few
 * attributes may have no value, so `<i mean it>` is not a tag. No part contains a second `<`, so
 * each part of a text is matched once.
 */
const MARKUP =
  /<!--|<[!?][a-z][^<>]*>|<(\/?)([a-z][a-z0-9]*)(?:\s+(?:[a-z][\w:.-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'|[^\s"'<>]+)|compact|hidden|noshade|nowrap|open|reversed))*\s*\/?>/gi;

/** The ends of markup whose content is not shown. */
const ENDS: ReadonlyMap<string, RegExp> = new Map([
  ['<!--', /-->/g],
  ['script', /<\/script\s*>/gi],
  ['style', /<\/style\s*>/gi],
]);

/** A line of a list begins with this. */
const ITEM = '- ';

/** Joins texts, with line breaks in between. */
class Written {
  readonly #pieces: string[] = [];
  /** The line breaks at the end; nothing needs one at the beginning. */
  #breaks = 2;
  #needed = 0;

  add(text: string): void {
    const isBehindBreak = this.#pieces.at(-1) === '\n';
    // Some services write a line break after each `<br>`.
    const given = isBehindBreak ? text.replace(/^[ \t]*\r?\n/, '') : text;
    const shown = this.#needed > 0 ? given.trimStart() : given;
    if (shown === '') return;
    this.#addBreaks(this.#needed - this.#breaks);
    this.#pieces.push(shown);
    this.#breaks = 0;
  }

  breakLine(): void {
    this.#addBreaks(Math.max(this.#needed - this.#breaks, 0) + 1);
  }

  /** Makes the next text begin a line, or a paragraph if there are two breaks. */
  begin(breaks: number): void {
    const last = this.#pieces.at(-1);
    if (last === undefined || last === ITEM) return;
    if (this.#breaks === 0) this.#pieces[this.#pieces.length - 1] = last.trimEnd();
    this.#needed = Math.max(this.#needed, breaks);
  }

  #addBreaks(count: number): void {
    for (let added = 0; added < count; added++) this.#pieces.push('\n');
    this.#breaks += Math.max(count, 0);
    this.#needed = 0;
  }

  toString(): string {
    return this.#pieces.join('');
  }
}

/**
 * Returns the text of HTML: without tags, comments and scripts, with line breaks where elements
 * begin a line, and with character references replaced. Anything else is kept.
 */
export function textOfHtml(html: string): string {
  const written = new Written();
  /** The kinds of parts that do not end in the rest of the text. Their content is kept. */
  const endless = new Set<string>();
  let read = 0;
  for (let at = 0; ;) {
    MARKUP.lastIndex = at;
    const found = MARKUP.exec(html);
    if (!found) break;
    at = MARKUP.lastIndex;
    const [markup, slash = '', given] = found;
    const name = given?.toLowerCase() ?? markup;
    if (given !== undefined && !BREAKS.has(name)) continue;

    written.add(charactersOf(html.slice(read, found.index)));
    if (slash === '' && !endless.has(name)) {
      const end = endOf(name, html, at);
      if (end === undefined) endless.add(name);
      else at = end;
    }
    writeTag(written, name, slash === '');
    read = at;
  }
  written.add(charactersOf(html.slice(read)));
  return written.toString();
}

/**
 * Returns the place after content that is not shown, or the same place; `undefined` if the content
 * never ends.
 */
function endOf(name: string, html: string, at: number): number | undefined {
  const end = ENDS.get(name);
  if (!end) return at;
  end.lastIndex = at;
  return end.test(html) ? end.lastIndex : undefined;
}

/** Writes the line breaks and marks of a tag. */
function writeTag(written: Written, name: string, isBeginning: boolean): void {
  const breaks = BREAKS.get(name) ?? 0;
  if (breaks > 0) written.begin(breaks);
  if (name === 'br') written.breakLine();
  if ((name === 'td' || name === 'th') && isBeginning) written.add(' ');
  if (name === 'li' && isBeginning) written.add(ITEM);
}

/** Replaces the names of characters, such as `&eacute;` and `&#8217;`. */
const charactersOf = (text: string): string =>
  text.includes('&') ? decodeHTMLStrict(text).replaceAll('\u00A0', ' ') : text;
