// Drives a live run in Chromium as a user would: sliders, keys, a gamepad; stops when nobody looks, pauses, phases, looks
// back, begins anew, loses the line, ends. Of the program it only wants what docs/live.md says, so that a mock and
// `davit live` are tested alike.
//   node test/live.mjs CHROMIUM [ADDRESS]        without an address: the mock
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import { startMock } from './mock_live.mjs';

const [executablePath, given] = process.argv.slice(2);
const address = given ?? (await startMock()).address;
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
});
const page = await browser.newPage({ viewport: { width: 1366, height: 768 } });
const errors = [];
page.on('pageerror', (error) => errors.push(error.message));

// The line goes through here, so that what the page says is seen and the line can be cut.
const said = [];
let state; // what the program said last
let cut = () => {};
let tell = () => {}; // as if the program had said it
let down = false;
await page.routeWebSocket(/\/live$/, (line) => {
  if (down) {
    line.close();
    return;
  }
  const program = line.connectToServer();
  line.onMessage((text) => {
    said.push({ at: Date.now(), ...JSON.parse(text) });
    program.send(text);
  });
  program.onMessage((message) => {
    if (typeof message === 'string') state = JSON.parse(message).state ?? state;
    line.send(message);
  });
  tell = (message) => line.send(JSON.stringify(message));
  cut = () => {
    program.close();
    line.close();
  };
});
// A gamepad that the test moves.
await page.addInitScript(() => {
  const pad = { id: 'made up', connected: true, axes: [0, 0, 0, 0], buttons: Array.from({ length: 16 }, () => ({ pressed: false })) };
  window.testPad = { pad, plugged: false };
  navigator.getGamepads = () => (window.testPad.plugged ? [pad] : []);
});

const until = async (holds, what, patience = 15000) => {
  const end = Date.now() + patience;
  while (!holds()) {
    assert.ok(Date.now() < end, `${what}; the program said last ${JSON.stringify(state)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};
const rest = () => page.waitForTimeout(300);
// What the page shows a moment after it was told, however busy the machine is.
const shows = (holds, about) => page.waitForFunction(holds, about, { timeout: 15000 });
const turns = (lever, isDisabled) =>
  shows(([name, off]) => document.querySelector(`.lever[data-lever="${name}"] input[type=range]`).matches(':disabled') === off, [lever.name, isDisabled]);

try {
  await page.goto(address);
  await page.waitForFunction(() => window.davitState?.ready, null, { timeout: 30000 });
  const { live } = await page.evaluate(async () => (await fetch('api/meta')).json());
  const driven = live.levers.map((lever, i) => ({ ...lever, i })).filter(({ kind }) => !['factor', 'angle', 'set', 'switch'].includes(kind));
  const set = live.levers.map((lever, i) => ({ ...lever, i })).find(({ kind }) => kind === 'factor');
  const [first, second] = driven;
  const row = (lever) => page.locator(`.lever[data-lever="${lever.name}"]`);
  const speed = (lever) => state.levers[lever.i][1];
  const stands = (lever) => until(() => Math.abs(speed(lever)) < 1e-6, `${lever.name} does not stand still`);
  await until(() => state, 'no state comes');
  await page.locator('.notices .notice').waitFor({ state: 'hidden' });
  console.log('connects');

  // By slider: it goes while it is held, springs back, and stays where it is latched.
  const rail = await row(first).locator('input[type=range]').boundingBox();
  const middle = rail.y + rail.height / 2;
  await page.mouse.move(rail.x + rail.width / 2, middle);
  await page.mouse.down();
  await page.mouse.move(rail.x + 0.8 * rail.width, middle, { steps: 30 });
  await until(() => speed(first) > 0.2 * first.speed, 'the slider does not drive');
  await page.mouse.up();
  await shows((name) => document.querySelector(`.lever[data-lever="${name}"] input[type=range]`).value === '0', first.name);
  await stands(first);
  await row(first).getByText('latch').click();
  await page.mouse.click(rail.x + 0.2 * rail.width, middle);
  await until(() => speed(first) < -0.2 * first.speed, 'the latched slider does not drive');
  await rest();
  assert.ok(speed(first) < 0, 'a latched lever goes on');
  await row(first).getByText('latch').click();
  await stands(first);
  console.log('is driven by a slider');

  // By keys, also when shift comes between.
  await page.locator('.stage canvas').click();
  await page.keyboard.down('q');
  await until(() => speed(first) > 0.2 * first.speed, 'q does not drive');
  await page.keyboard.up('q');
  await stands(first);
  if (second) {
    await page.keyboard.down('s');
    await until(() => speed(second) < 0, 's does not drive');
    await page.keyboard.press('Escape');
    await stands(second);
    assert.ok(said.some(({ stop }) => stop), 'Escape stops all');
    await page.keyboard.up('s');
  }
  console.log('is driven by keys');

  // To a value that is typed, in engineering units.
  const scale = first.unit === 'rad' ? 180 / Math.PI : 1;
  const goal = state.levers[first.i][0] + 0.5 * first.speed;
  await row(first).locator('.value-box').fill(String(goal * scale));
  await row(first).locator('.value-box').press('Enter');
  await until(() => Math.abs(state.levers[first.i][0] - goal) < 1e-2 * first.speed, 'it does not go where it was sent', 30000);
  if (set) {
    await row(set).locator('.value-box').fill('0.8');
    await row(set).locator('.value-box').press('Enter');
    await until(() => Math.abs(state.levers[set.i][0] - 0.8) < 0.05, 'a factor is not set', 60000);
  }
  console.log('goes to values');

  // By a gamepad, which takes a lever only after its stick was let go; the dead zone is dead.
  await page.locator('.stage canvas').click();
  await page.evaluate(() => {
    window.testPad.pad.axes[1] = -1;
    window.testPad.plugged = true;
  });
  await rest();
  await stands(first);
  await page.evaluate(() => (window.testPad.pad.axes[1] = -0.05));
  await rest();
  await page.evaluate(() => (window.testPad.pad.axes[1] = -1));
  await until(() => speed(first) > 0.2 * first.speed, 'the stick does not drive');
  await page.evaluate(() => (window.testPad.pad.axes[1] = -0.1));
  await stands(first);
  // Another axis is chosen, and remembered.
  await page.locator('.gamepad summary').click();
  await page.getByLabel(`axis that moves ${first.name}`).selectOption('+4');
  assert.equal(await page.evaluate((name) => JSON.parse(localStorage.getItem('davit.gamepad'))[name], first.name), '+4');
  await page.getByLabel(`axis that moves ${first.name}`).selectOption('-1');
  await page.evaluate(() => (window.testPad.pad.buttons[9].pressed = true));
  await until(() => state.paused, 'start does not pause');
  await page.evaluate(() => (window.testPad.pad.buttons[9].pressed = false));
  await rest();
  await page.evaluate(() => (window.testPad.pad.buttons[9].pressed = true));
  await until(() => !state.paused, 'start does not go on');
  await page.evaluate(() => {
    window.testPad.pad.buttons[9].pressed = false;
    window.testPad.plugged = false;
  });
  console.log('is driven by a gamepad');

  // Nobody drives who does not look.
  await page.locator('.stage canvas').click();
  await page.keyboard.down('q');
  await until(() => speed(first) > 0.2 * first.speed, 'q does not drive');
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await stands(first);
  await page.keyboard.up('q');
  console.log('stops when the window is left');

  // Pause, tick, pace.
  await page.keyboard.press('Space');
  await until(() => state.paused, 'space does not pause');
  await rest();
  const paused = state.t;
  await rest();
  assert.equal(state.t, paused);
  await page.getByRole('button', { name: /^one tick/ }).click();
  await until(() => Math.abs(state.t - paused - live.tick) < 0.5 * live.tick, 'a tick is not a tick');
  await page.keyboard.press('Space');
  await until(() => !state.paused, 'it does not go on');
  await page.getByLabel('times real time').selectOption('2');
  await until(() => state.factor === 2, 'the pace is not taken');
  await page.getByLabel('times real time').selectOption('1');
  console.log('pauses and goes on');

  // Looks back while it runs, and returns to now.
  const bar = await page.locator('.timeline canvas').boundingBox();
  await page.mouse.click(bar.x + 0.3 * bar.width, bar.y + bar.height / 2);
  await shows((now) => Number(document.querySelector('.timeline').getAttribute('aria-valuenow')) < now - 1, state.t);
  await page.locator('footer').getByText('live').click();
  await page.waitForFunction((t) => Number(document.querySelector('.timeline').getAttribute('aria-valuenow')) > t, state.t);
  await shows(() => document.querySelector('.plot td.now').textContent !== '–');
  console.log('looks back and returns');

  // Where a limit is passed there is a marker: the mock has one at 30.2 m.
  if (!given) {
    for (const value of ['30', '30.6']) {
      await row(first).locator('.value-box').fill(value);
      await row(first).locator('.value-box').press('Enter');
      await until(() => Math.abs(state.levers[first.i][0] - Number(value)) < 1e-3, 'it does not go where it was sent', 30000);
    }
    await page.locator('.stage canvas').click();
    await page.waitForTimeout(1000);
    await page.keyboard.press('[');
    const length = page.locator('.plot tr', { hasText: 'hoist.length' }).locator('td.now');
    await page.waitForFunction((cell) => Math.abs(Number(cell.textContent) - 30.2) < 0.05, await length.elementHandle());
    await page.keyboard.press('End');
    console.log('marks limits');
  }

  // Phases by hand.
  if (live.phases.length > 0) {
    const i = state.phases.indexOf('waiting');
    await page.locator('.phases li').nth(i).getByText('begin').click();
    await until(() => state.phases[i] !== 'waiting', 'the phase does not begin');
    await page.getByText('automatic').click();
    await until(() => state.automatic, 'phases are not automatic');
    await page.getByText('automatic').click();
    await until(() => !state.automatic, 'phases stay automatic');
  }
  console.log('begins phases');

  // What is wrong is said.
  await row(first).locator('.value-box').fill('1e99');
  await row(first).locator('.value-box').press('Enter');
  await page.locator('.value-box:invalid, .notice.bad').first().waitFor();
  await row(first).locator('.value-box').fill('');

  // Anew: time begins again, the run before is named.
  await page.getByRole('button', { name: /^end this run, keep/ }).click();
  await page.locator('.past').getByText('report.html').waitFor();
  await until(() => state.t < 5, 'time does not begin again');
  await page.waitForFunction(() => Number(document.querySelector('.timeline').getAttribute('aria-valuenow')) < 10);
  console.log('begins anew');

  // A run that ends by itself takes the levers away; it can be begun anew.
  tell({ ended: { run: 2, status: 'broken', text: 'made up by the test', folder: 'nowhere', replay: 'nowhere/replay.yaml' } });
  await page.locator('.past').getByText('made up by the test').waitFor();
  await turns(first, true);
  await page.getByRole('button', { name: /^end this run, keep/ }).click();
  await turns(first, false);
  console.log('takes the levers away when a run ends');

  // The line is lost and found.
  down = true;
  cut();
  await page.locator('.notice.bad').getByText('connection to the program is lost').waitFor();
  await turns(first, true);
  const before = said.length;
  await page.keyboard.press('q');
  assert.equal(said.length, before);
  down = false;
  await page.locator('.notices .notice').waitFor({ state: 'hidden', timeout: 15000 });
  await turns(first, false);
  await until(() => state.t > 0, 'no state after the line was found');
  console.log('loses the line and finds it');

  // A hand that trembles makes no more than thirty messages in a second.
  const sent = () => said.filter(({ speed: s, move: m }) => s || m).length;
  const quiet = sent();
  const shook = await row(first).locator('input[type=range]').evaluate(async (slider) => {
    const begin = performance.now();
    for (let k = 0; k < 400; ++k) {
      slider.value = String(k % 2);
      slider.dispatchEvent(new Event('input'));
      await new Promise((resolve) => setTimeout(resolve, 4));
    }
    return (performance.now() - begin) / 1000;
  });
  await rest();
  const most = (sent() - quiet) / shook;
  assert.ok(most > 1 && most < 30 + 2.5 / shook, `${most} messages in a second`); // one before, one after
  await page.keyboard.press('x');
  await stands(first);

  const { pageTime, rate } = await page.evaluate(() => window.davitState);
  await page.locator('.run').getByText('end', { exact: true }).click();
  await page.locator('.run').getByText('end: sure?').click();
  await page.locator('.notice').getByText('The program has ended').waitFor({ timeout: 60000 });
  assert.match(await page.locator('.past').textContent(), /replay\.yaml/);
  console.log(`ends; page ${pageTime.toFixed(1)} ms a frame, ${rate.toFixed(0)} frames a second, ${most.toFixed(0)} messages of levers in a second at most`);
  assert.deepEqual(errors, []);
} finally {
  await browser.close();
}
process.exit(0);
