import { launch } from 'chrome-launcher';
import lighthouse, { desktopConfig } from 'lighthouse';
import { systemChromium } from '../test/chromium.ts';

/**
 * `npm run measure -- URL…`: Lighthouse's four scores of pages of a running server, on a phone with
 * a slow network and on a desktop, each the median of three runs, and the audits that cost points.
 */

const RUNS = 3;
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];

const urls = process.argv.slice(2);
if (urls.length === 0) {
  console.error('Usage: npm run measure -- URL…, for example http://localhost:4000/app/');
  process.exit(2);
}

const browser = await launch({
  chromePath: systemChromium(),
  chromeFlags: ['--headless', '--no-sandbox', '--disable-dev-shm-usage'],
});
try {
  for (const url of urls) {
    await measure(url, 'phone', undefined);
    await measure(url, 'desktop', desktopConfig);
  }
} finally {
  browser.kill();
}

async function measure(url, device, config) {
  const results = [];
  for (let run = 0; run < RUNS; run++) {
    const result = await lighthouse(url, { port: browser.port, onlyCategories: CATEGORIES, logLevel: 'error' }, config);
    results.push(result.lhr);
  }

  const scores = CATEGORIES.map((name) => `${name} ${medianOf(results.map((each) => scoreOf(each, name)))}`);
  console.log(`${url}, ${device}: ${scores.join(', ')}`);
  for (const line of lostPoints(results[0])) console.log(`  ${line}`);
}

function scoreOf({ categories }, name) {
  return Math.round(100 * (categories[name]?.score ?? 0));
}

function medianOf(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/** Returns the audits of a run that cost points. */
function lostPoints({ categories, audits }) {
  const weighed = CATEGORIES.flatMap((name) => categories[name]?.auditRefs ?? []).filter(({ weight }) => weight > 0);
  return weighed
    .map(({ id }) => audits[id])
    .filter(({ score }) => score !== null && score < 0.9)
    .map(({ id, displayValue, title }) => `${id}: ${displayValue ?? title}`);
}
