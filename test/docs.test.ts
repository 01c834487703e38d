import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { buildSchema, Kind, NoUnusedFragmentsRule, parse, specifiedRules, validate } from 'graphql';
import { describe, expect, test } from 'vitest';

/** Everything that the documentation names must exist. The changelog also names former files. */

const ROOT = join(import.meta.dirname, '..');
const PAGES = globSync(['*.md', '{bench,docs,.github}/**/*.md'], { cwd: ROOT, exclude: ['**/node_modules/**'] });
const HISTORY = 'CHANGELOG.md';
/** CONTRIBUTING.md names the files that the example of an aggregate adds to the project. */
const PLACES = ['', 'examples/note'];
/** `npm run reference` in tools/contract makes this folder, and git ignores it. */
const MADE = 'docs/reference/';

const LINK = /\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)/g;
const HEADING = /^#+ (.+)$/gm;
const PATH = /`((?:bench|cql|data|deploy|docs|examples|src|test|tools|\.ci|\.github|\.githooks)\/[^`\s<>*{}…]*)`/g;

const exists = (path: string) => PLACES.some((place) => existsSync(join(ROOT, place, path)));

const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8');

/** Returns the anchor that a heading gets from GitHub. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

describe('the documentation', () => {
  test.each(PAGES)('%s has no broken links', (page) => {
    const broken = [...textOf(page).matchAll(LINK)].filter(([, path = '', anchor]) => {
      const target = path === '' ? page : normalize(join(dirname(page), path));
      if (!existsSync(join(ROOT, target))) return true;
      return (
        anchor !== undefined &&
        ![...textOf(target).matchAll(HEADING)].some(([, name = '']) => anchorOf(name) === anchor)
      );
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  test.each(PAGES.filter((page) => page !== HISTORY))('%s names files that exist', (page) => {
    const named = [...textOf(page).matchAll(PATH)].map(([, path = '']) => path);
    expect(named.filter((path) => !path.startsWith(MADE) && !exists(path))).toEqual([]);
  });
});

describe('the web client', () => {
  test('requests only fields that the schema has', () => {
    const files = globSync('examples/web/src/**/*.graphql', { cwd: ROOT });
    expect(files.length).toBeGreaterThan(5);
    const definitions = files.flatMap((file) => parse(textOf(file)).definitions);
    // A fragment may be used only for its type condition.
    const rules = specifiedRules.filter((rule) => rule !== NoUnusedFragmentsRule);
    const errors = validate(buildSchema(textOf('schema.graphql')), { kind: Kind.DOCUMENT, definitions }, rules);
    expect(errors.map(({ message }) => message)).toEqual([]);
  });
});
