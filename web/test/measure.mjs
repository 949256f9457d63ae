// How fast pages are drawn here and what the page itself takes for a picture, without drawing.
//   node test/measure.mjs CHROMIUM [ADDRESS...]        and a made-up scene of 200,000 triangles and 40 ropes
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import { chromium } from 'playwright-core';

const [executablePath, ...addresses] = process.argv.slice(2);
const seconds = 12;

const count = { frames: 256, ropes: 40, vertices: 40, grid: 316, bodies: 30, channels: 12 };
const shape = { bodies: count.bodies, lines: count.ropes, length_step: 1e-3, attitude_step: 1e-6, tension_step: 1 };
const zigzag = (n) => ((n << 1) ^ (n >> 31)) >>> 0;
const times = Float64Array.from({ length: count.frames }, (_, i) => 0.1 * i);

function meta() {
  const bodies = Array.from({ length: count.bodies }, (_, b) => ({
    name: `body${b}`, mass: 1e5, centre: [0, 0, 0],
    shapes: b === 0 ? [{ kind: 'mesh', role: 'surface', name: 'hills', mesh: 0, pose: [0, 0, 0, 1, 0, 0, 0] }] : [{ kind: 'box', role: 'body', size: [3, 3, 3], pose: [0, 0, 0, 1, 0, 0, 0] }],
  }));
  const n = count.grid;
  return {
    title: 'made up', status: 'complete', created: '', method: '', step: 0.1, davit: '', file: '', rows: count.frames, first: 0, last: times.at(-1), events: [], frames: count.frames, shape,
    channels: Array.from({ length: count.channels }, (_, c) => ({ name: `c${c}.value`, unit: c % 2 ? 'N' : 'm', description: '', group: 'all', main: c < 6 })),
    scene: {
      version: 1, rate: 10, units: 'engineering', gravity: 9.81, bodies, world: [],
      lines: Array.from({ length: count.ropes }, (_, l) => ({ name: `rope${l}`, kind: 'rope', mbl: 1e6 })),
      meshes: [{ name: 'hills', first_point: 0, points: (n + 1) ** 2, first_triangle: 0, triangles: 2 * n * n }],
      sea: { ramp: 0, waves: Array.from({ length: 160 }, (_, i) => [0.05, 0.4 + 0.01 * i, (0.4 + 0.01 * i) ** 2 / 9.81, 0.01 * i, i]) },
      limits: [], camera: { low: [-60, -60, -10], high: [60, 60, 60] },
    },
  };
}

function meshes() {
  const n = count.grid;
  const points = [];
  const triangles = [];
  for (let i = 0; i <= n; ++i)
    for (let k = 0; k <= n; ++k) {
      points.push((100 * i) / n - 50, (100 * k) / n - 50, 3 + 2 * Math.sin(0.2 * i) * Math.cos(0.17 * k));
      const a = i * (n + 1) + k;
      if (i < n && k < n) triangles.push(a, a + n + 1, a + n + 2, a, a + n + 2, a + 1);
    }
  return Buffer.concat([Buffer.from(Float64Array.from([points.length, triangles.length]).buffer), Buffer.from(Float32Array.from(points).buffer), Buffer.from(Uint32Array.from(triangles).buffer)]);
}

// Packed as second differences: of what does not move but for the first frame of a block all are zero.
function frames() {
  const poses = [];
  const vertices = [];
  const still = (first, value) => (first === 0 ? zigzag(value) : 0);
  for (let f = 0; f < count.frames; ++f) {
    const k = f % 64;
    for (let b = 0; b < count.bodies; ++b) for (const x of [b ? 4 * b - 60 : 0, b ? 10 : 0, b ? 30 : 0, 1, 0, 0, 0].map((v, i) => Math.round(v / (i < 3 ? shape.length_step : shape.attitude_step)))) poses.push(still(k, x));
    for (let l = 0; l < count.ropes; ++l)
      for (let v = 0; v < count.vertices; ++v) for (const x of [3 * l - 60, 2 * v - 40, 50 - 0.5 * v, 100 + 10 * l].map((y, i) => Math.round(y / (i < 3 ? shape.length_step : 1)))) vertices.push(still(k, x));
  }
  const counts = Array(count.frames * count.ropes).fill(count.vertices);
  const flags = new Uint8Array(count.frames * count.ropes * count.vertices);
  for (let i = count.vertices - 1; i < flags.length; i += count.vertices) flags[i] = 4;
  const head = Float64Array.from([0, count.frames, poses.length, counts.length, vertices.length, flags.length]);
  return Buffer.concat([Buffer.from(head.buffer), Buffer.from(times.buffer), Buffer.from(Uint32Array.from(poses).buffer), Buffer.from(Uint32Array.from(counts).buffer), Buffer.from(Uint32Array.from(vertices).buffer), Buffer.from(flags)]);
}

async function madeUp() {
  const dist = new URL('../dist/', import.meta.url);
  const page = '<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="viewer.css"><link rel="icon" href="data:,"><div id="davit"></div><script src="viewer.js"></script>';
  const wave = (index) => times.map((t) => Math.sin(t + index));
  const answers = {
    '/': () => page,
    '/viewer.js': () => readFile(new URL('viewer.js', dist)),
    '/viewer.css': () => readFile(new URL('viewer.css', dist)),
    '/api/meta': () => JSON.stringify(meta()),
    '/api/meshes': meshes,
    '/api/frames': frames,
    '/api/frame-times': () => Buffer.from(times.buffer),
    '/api/times': () => Buffer.from(times.buffer),
    '/api/channel': (query) => Buffer.from(Float32Array.from([...wave(Number(query.get('index'))), ...wave(Number(query.get('index')))]).buffer),
  };
  const server = http.createServer(async (request, response) => {
    const url = new URL(request.url, 'http://here');
    if (url.pathname === '/viewer.css') response.setHeader('Content-Type', 'text/css');
    else if (url.pathname === '/') response.setHeader('Content-Type', 'text/html');
    response.end((await answers[url.pathname]?.(url.searchParams)) ?? '');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${server.address().port}/`;
}

async function measure(browser, address) {
  const page = await browser.newPage({ viewport: { width: 1366, height: 768 } });
  await page.goto(address);
  await page.waitForFunction(() => window.davitState?.ready, null, { timeout: 60000 });
  for (const forces of [false, true]) {
    if (forces) await page.keyboard.press('f');
    await page.keyboard.press('Home');
    await page.waitForTimeout(1500);
    await page.keyboard.press('Space');
    await page.waitForTimeout(3000); // until it draws as simply as it must
    const taken = await page.evaluate(
      (duration) =>
        new Promise((resolve) => {
          const list = [];
          const begin = performance.now();
          let last;
          const look = () => {
            if (window.davitState !== last) list.push(window.davitState.pageTime);
            last = window.davitState;
            if (performance.now() - begin < 1000 * duration) requestAnimationFrame(look);
            else resolve({ list, seconds: (performance.now() - begin) / 1000, triangles: last.triangles });
          };
          look();
        }),
      seconds,
    );
    await page.keyboard.press('Space');
    const sorted = taken.list.sort((a, b) => a - b);
    const mean = sorted.reduce((a, b) => a + b, 0) / sorted.length;
    const title = await page.title();
    console.log(`${title || address}${forces ? ', with forces' : ''}: ${(sorted.length / taken.seconds).toFixed(1)} pictures a second of ${taken.triangles} triangles; page ${mean.toFixed(2)} ms on average, 95 % below ${sorted[Math.floor(0.95 * sorted.length)].toFixed(2)} ms`);
  }
  await page.close();
}

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'] });
for (const address of [...addresses, await madeUp()]) await measure(browser, address);
await browser.close();
process.exit(0);
