// Looks at results in Chromium as a user would: loads, plays, scrubs, steps, searches a channel, zooms, exports; one page
// offline, and the server with its rules. Run by tools/test-viewer, which makes the results.
//   node test/viewer.mjs CHROMIUM PAGE_OR_ADDRESS...
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import { chromium } from 'playwright-core';

const [executablePath, ...targets] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
});

const state = (page) => page.evaluate(() => window.davitState);
const readyAt = (page, time) => page.waitForFunction((t) => window.davitState?.ready && Math.abs(window.davitState.time - t) < 0.05, time, { timeout: 20000 });

async function look(target) {
  const page = await browser.newPage({ viewport: { width: 1366, height: 768 } });
  const errors = [];
  const requests = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('request', (request) => requests.push(request.url()));
  const begin = Date.now();
  await page.goto(target);
  await page.waitForFunction(() => window.davitState?.ready, null, { timeout: 30000 });
  const opened = Date.now() - begin;

  // Something is drawn: not one colour all over.
  const colours = await page.evaluate(() => {
    const from = document.querySelector('.stage canvas');
    const small = Object.assign(document.createElement('canvas'), { width: 64, height: 64 });
    const context = small.getContext('2d');
    context.drawImage(from, 0, 0, 64, 64);
    return new Set(new Uint32Array(context.getImageData(0, 0, 64, 64).data.buffer)).size;
  });
  assert.ok(colours > 20, `the scene has only ${colours} colours`);

  // Plays, stops, steps.
  await page.keyboard.press('Space');
  await page.waitForFunction(() => window.davitState.time > 0.3, null, { timeout: 20000 });
  const playing = await state(page);
  await page.keyboard.press('Space');
  await page.keyboard.press('Home');
  await readyAt(page, 0);
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => window.davitState.time > 0 && window.davitState.time < 1);

  // Scrubs; the cursor of the plots goes along.
  const bar = await page.locator('.timeline canvas').boundingBox();
  const value = () => page.locator('.plot td.now').first().textContent();
  await page.mouse.click(bar.x + 0.61 * bar.width, bar.y + bar.height / 2);
  const last = Number(await page.evaluate(() => document.querySelector('.timeline').getAttribute('aria-valuenow')));
  assert.ok(last > 1, 'scrubbing goes to another time');
  await readyAt(page, last);
  const now = await value();

  // A click into a plot goes there, a drag zooms, a double click shows all.
  const over = page.locator('.plot .u-over').first();
  const box = await over.boundingBox();
  await page.mouse.click(box.x + 0.25 * box.width, box.y + 20);
  await page.waitForFunction((t) => Math.abs(window.davitState.time - t) > 0.5, last);
  assert.notEqual(await value(), undefined);
  await page.mouse.move(box.x + 0.3 * box.width, box.y + 30);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.6 * box.width, box.y + 30, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction(() => location.hash.includes('window='));
  await over.dblclick();
  await page.waitForFunction(() => !location.hash.includes('window='));

  // A channel by words, and what is shown as a file.
  await page.keyboard.press('/');
  await page.keyboard.type('energy kinetic');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => [...document.querySelectorAll('.plot td')].some((td) => td.textContent.startsWith('energy.kinetic')));
  const [csv] = await Promise.all([page.waitForEvent('download'), page.locator('.plot', { hasText: 'energy.kinetic' }).getByText('CSV').click()]);
  const text = await readFile(await csv.path(), 'utf8');
  assert.match(text.split('\n')[0], /^"time \[s\]","energy\.kinetic \[J\]"/);
  assert.ok(text.split('\n').length > 10);
  const [png] = await Promise.all([page.waitForEvent('download'), page.locator('.plot').first().getByText('PNG').click()]);
  assert.equal(png.suggestedFilename(), 'davit.png');

  const [svg] = await Promise.all([page.waitForEvent('download'), page.locator('.plot').first().getByText('SVG').click()]);
  const drawing = await readFile(await svg.path(), 'utf8');
  const first = (await page.locator('.plot td').first().textContent()).replace('✕', '');
  assert.ok(drawing.startsWith('<svg') && drawing.includes(`>${first}</text>`) && drawing.includes('time [s]'), 'a drawing has its curves and axes named');
  const named = await page.evaluate((text) => new DOMParser().parseFromString(text, 'image/svg+xml').querySelector('parsererror') === null, drawing);
  assert.ok(named, 'a drawing is well formed');

  // The tree by keys alone: opens, walks, shows a channel and takes it away.
  await page.keyboard.press('c');
  await page.keyboard.press('End');
  assert.equal(await page.evaluate(() => document.activeElement.textContent.replace(/^[▸▾]/, '')), 'solver');
  for (const key of ['ArrowRight', 'End', 'Enter']) await page.keyboard.press(key);
  const shownNow = () => page.evaluate(() => [...document.querySelectorAll('.plot td')].some((td) => td.textContent.startsWith('solver.violation')));
  await page.waitForFunction(() => [...document.querySelectorAll('.plot td')].some((td) => td.textContent.startsWith('solver.violation')));
  await page.keyboard.press('Enter');
  assert.ok(!(await shownNow()), 'what was taken away is gone');
  for (const key of ['ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-expanded')), 'false');
  await page.locator('.choose').getByText('tree', { exact: true }).click();
  await page.locator('.choose').getByText('diagnostics', { exact: true }).click();
  await page.waitForFunction(() =>
    ['energy.kinetic', 'energy.potential', 'energy.total', 'energy.power', 'solver.step', 'solver.iterations'].every((name) =>
      [...document.querySelectorAll('.plot td')].some((td) => td.textContent.startsWith(name)),
    ),
  );

  // A spectrum of what is seen, and back.
  await page.locator('.plot').first().getByText('S(f)').click();
  await page.locator('.plot').first().getByText(/peak at/).first().waitFor();
  await page.locator('.plot').first().getByText('S(f)').click();
  await page.locator('.plot td.now').first().waitFor();

  // Every view draws; units, theme, forces and help.
  for (const key of ['1', '2', '3', '4', '5', '6', '7', '1', 'f', 't', 'u', 'u', 'd', 'd']) await page.keyboard.press(key);
  await page.keyboard.press('?');
  await page.locator('dialog[open]').getByText('play and stop').waitFor();
  await page.keyboard.press('Escape');

  // A link leads to the same time and curves.
  await page.keyboard.press('End');
  await page.waitForFunction(() => location.hash.includes('channels='));
  await page.waitForTimeout(1200);
  const link = page.url();
  const there = await state(page);
  const other = await browser.newPage({ viewport: { width: 1366, height: 768 } });
  await other.goto(link);
  await readyAt(other, there.time);
  await other.waitForFunction(() => [...document.querySelectorAll('.plot td')].some((td) => td.textContent.startsWith('energy.kinetic')));
  await other.close();

  assert.deepEqual(errors, []);
  const outside = requests.filter((url) => !url.startsWith(target.startsWith('file:') ? 'file:' : new URL(target).origin) && !/^(data|blob):/.test(url));
  assert.deepEqual(outside, [], 'nothing is fetched from elsewhere');
  await page.close();
  console.log(`${target}: opened in ${opened} ms, ${playing.triangles} triangles, page ${playing.pageTime.toFixed(1)} ms a frame, now ${now}`);
}

const answer = (address, options = {}) =>
  new Promise((resolve, reject) => {
    const request = http.request(new URL(options.path ?? '/', address), { ...options, agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    });
    request.on('error', reject);
    request.end();
  });

// What others may not do.
async function rules(address) {
  const { port, host } = new URL(address);
  assert.equal(await answer(address), 200);
  assert.equal(await answer(address, { headers: { Host: 'evil.example' } }), 421);
  assert.equal(await answer(address, { headers: { Host: host, Origin: 'http://evil.example' } }), 403);
  assert.equal(await answer(address, { method: 'POST' }), 405);
  for (const path of ['/etc/passwd', '/../../etc/passwd', '/%2e%2e/result.h5', '/api/nothing']) assert.equal(await answer(address, { path }), 404);
  for (const path of ['/api/channel?index=99999&first=0&last=1&stride=1', '/api/channel', '/api/frames?first=1&count=1', '/api/times?first=0&last=-1&stride=1', '/api/times?first=0&last=9&stride=0'])
    assert.equal(await answer(address, { path }), 400);
  // Rubbish, silence and a crowd; it still answers.
  const say = (text) =>
    new Promise((resolve) => {
      const socket = net.connect(Number(port), '127.0.0.1', () => socket.write(text));
      socket.on('close', resolve).on('error', resolve).on('data', () => {});
      setTimeout(() => socket.destroy(), 500);
    });
  await Promise.all([say('\0\0\0\xff\xfe'), say('GET '), say(`GET /${'x'.repeat(100000)} HTTP/1.1\r\n\r\n`), say('')]);
  const crowd = Array.from({ length: 50 }, () => net.connect(Number(port), '127.0.0.1').on('error', () => {}));
  assert.equal(await answer(address), 200);
  for (const socket of crowd) socket.destroy();
  assert.equal(await answer(address), 200);
  console.log(`${address}: keeps its rules`);
}

try {
  for (const target of targets) {
    if (target.startsWith('http:')) await rules(target);
    await look(target);
  }
} finally {
  await browser.close();
}
