import { removeBook } from '../../src/catalogue/operations.ts';
import { parseIsbn } from '../../src/catalogue/isbn.ts';
import { say } from '../../src/terminal/progress.ts';
import { withApp } from '../with-app.ts';

/** `npm run admin -- remove-book ISBN`: removes a book from the catalogue. */

const [isbn = '', ...more] = process.argv.slice(2);
const { isbn13, problem } = parseIsbn(isbn);
if (problem !== undefined || more.length > 0) {
  say(`Usage: npm run admin -- remove-book ISBN${problem === undefined ? '' : `; the given one ${problem}`}`);
  process.exit(2);
}

await withApp(async (app) => {
  const isRemoved = await removeBook(app, isbn13);
  say(isRemoved ? `${isbn13} is removed` : `there is no book ${isbn13} in the catalogue`);
  return isRemoved ? 0 : 1;
});
