// Two runs beside each other, of blocks of 40 t and 50 t: their difference is what ten tonnes weigh, and the line of a limit
// says whose it is.
//   node test/compare.mjs CHROMIUM ADDRESS
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';

const [executablePath, address] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
});
try {
  const page = await browser.newPage({ viewport: { width: 1366, height: 768 } });
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(`${address}#channels=boom.reaction.Fz,hoist.tension&window=20,30&units=si`);
  await page.waitForFunction(() => window.davitState?.ready, null, { timeout: 30000 });
  const plot = page.locator('.plot').first();
  await plot.locator('button', { hasText: 'A − B' }).click();
  const row = plot.locator('tr', { hasText: 'boom.reaction.Fz' });
  await row.getByText('rms').waitFor();
  const rms = Number((await row.textContent()).match(/rms ([\d.e+]+)/)[1]);
  const weight = 10e3 * 9.80665;
  assert.ok(Math.abs(rms / weight - 1) < 0.01, `${rms} N and not ${weight} N`);
  const save = async () => {
    const [file] = await Promise.all([page.waitForEvent('download'), plot.getByText('SVG').click()]);
    return readFile(await file.path(), 'utf8');
  };
  assert.match(await save(), /difference of boom\.reaction\.Fz/);
  await plot.locator('button', { hasText: 'A − B' }).click();
  await plot.locator('td.now').first().waitFor();
  const both = await save();
  assert.match(both, /hoist\.tension \(other\)/);
  assert.match(both, /hoist\.tension below 1\.8/);
  assert.deepEqual(errors, []);
  console.log(`${address}: the difference is ${rms} N`);
} finally {
  await browser.close();
}
