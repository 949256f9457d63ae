// The replay in a report: it draws, plays, asks for nothing, and paper does without it. Run by tools/test-viewer.
//   node test/replay.mjs CHROMIUM REPORT
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';

const [executablePath, report] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
});
const page = await browser.newPage({ viewport: { width: 1000, height: 1000 } });
const errors = [];
const requests = [];
page.on('pageerror', (error) => errors.push(error.message));
page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
page.on('request', (request) => requests.push(request.url()));
await page.goto(report);
await page.locator('.replay iframe').scrollIntoViewIfNeeded();
await page.waitForFunction(() => window.frames.length === 1);
const frame = page.frames()[1];
await frame.waitForFunction(() => window.davitState?.ready, null, { timeout: 30000 });
for (const hidden of ['.top', 'aside', '.viewbar']) assert.equal(await frame.locator(hidden).first().isVisible(), false, hidden);
const box = await frame.locator('.stage canvas').boundingBox();
assert.ok(box.height > 200 && box.width > 400, 'the scene has room');
await frame.locator('footer button').first().click();
await frame.waitForFunction(() => window.davitState.time > 0.2, null, { timeout: 30000 });
await page.waitForTimeout(1500); // it remembers nothing in an address
assert.deepEqual(errors, []);
assert.deepEqual(requests.filter((url) => url !== report), [], 'the report asks for nothing');
await page.emulateMedia({ media: 'print' });
assert.equal(await page.locator('.replay').isVisible(), false, 'paper has the pictures alone');
assert.equal(await page.locator('.views').first().isVisible(), true);
await browser.close();
console.log(`replay: ${report}`);
