import { parseArgs } from 'node:util';
import { setAdministrator } from '../../src/accounts/operations.ts';
import { ANONYMOUS, requestContext } from '../../src/context/context.ts';
import { say } from '../../src/terminal/progress.ts';
import { withApp } from '../with-app.ts';

/**
 * `npm run admin -- grant-administrator EMAIL [--revoke]`: makes a reader an administrator, or
 * revokes that.
 */

const { values, positionals } = parseArgs({ options: { revoke: { type: 'boolean' } }, allowPositionals: true });
const [email, ...more] = positionals;
if (email === undefined || more.length > 0) {
  say('Usage: npm run admin -- grant-administrator EMAIL [--revoke]');
  process.exit(2);
}

await withApp(async (app) => {
  const isOne = values.revoke !== true;
  const isFound = await setAdministrator(requestContext(app, ANONYMOUS), email, isOne);
  if (isFound) say(`${email} is ${isOne ? 'an administrator' : 'no administrator any more'}`);
  else say(`no account has the email ${email}; register it first`);
  return isFound ? 0 : 1;
});
