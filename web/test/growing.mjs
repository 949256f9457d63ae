// What a live page keeps: as much as it may and no more, and the same numbers as a result would give; the clock that follows;
// sticks and their dead zone.
import assert from 'node:assert/strict';
import { createServer } from 'vite';

const server = await createServer({ server: { middlewareMode: true }, appType: 'custom', logLevel: 'error' });
const load = (name) => server.ssrLoadModule(`/src/${name}.ts`);
const { RowStore } = await load('row_store');
const { GrowingFrames } = await load('frames');
const { Clock } = await load('clock');
const { Track } = await load('track');
const { rounds } = await load('picture_files');
const { shareOf } = await load('gamepad');

// Rows: stretches as the program makes them, over the borders of chunks.
{
  const rows = 1000;
  const store = new RowStore(2);
  const times = Float64Array.from({ length: rows }, (_, i) => 0.1 * i);
  const values = Float32Array.from({ length: 2 * rows }, (_, i) => (i % 2 ? NaN : Math.sin(0.05 * i)));
  for (let i = 0; i < rows; i += 7) store.add(times.subarray(i, i + 7), values.subarray(2 * i, 2 * (i + 7)));
  store.add(times.subarray(990), values.subarray(1980)); // known already
  assert.equal(store.rows, rows);
  assert.equal(store.last, times[rows - 1]);
  for (const [first, last, stride] of [[0, 1000, 1], [3, 998, 10], [250, 260, 4], [0, 5000, 333], [990, 990, 3]]) {
    const end = Math.min(last, rows);
    const middles = [];
    const low = [];
    for (let begin = first; begin < end; begin += stride) {
      const stretch = [...times.keys()].slice(begin, Math.min(begin + stride, end));
      middles.push(times[stretch[stretch.length >> 1]]);
      low.push(Math.min(...stretch.map((row) => values[2 * row])));
    }
    assert.deepEqual([...store.times(first, last, stride)], middles);
    assert.deepEqual([...store.envelope(0, first, last, stride).low], low);
    assert.ok(store.envelope(1, first, last, stride).high.every(Number.isNaN));
  }
  assert.equal(store.value(0, 12.34), values[2 * 123]);
  store.clear();
  assert.equal(store.rows, 0);
  assert.ok(Number.isNaN(store.value(0, 1)));
}

// An hour of 500 channels at 50 a second would be 360 MB.
{
  const store = new RowStore(500);
  for (let i = 0; i < 180000; i += 100) store.add(Float64Array.from({ length: 100 }, (_, k) => 0.02 * (i + k)), new Float32Array(500 * 100));
  assert.ok(store.rows * 500 * 4 <= 64e6 && store.rows * 500 * 4 > 60e6, `${store.rows} rows are kept`);
  assert.ok(Math.abs(store.last - store.first - 0.02 * (store.rows - 1)) < 1e-6, 'the last ones are kept');
}

// Frames: five minutes, or what fits.
{
  const frames = new GrowingFrames();
  const frame = (time, vertices) => ({ time, poses: new Float64Array(7), lines: [{ at: new Float32Array(3 * vertices), tension: new Float32Array(vertices), flags: new Uint8Array(vertices) }] });
  for (let i = 0; i < 20000; ++i) frames.add(frame(0.04 * i, 2));
  assert.ok(frames.count <= 7500 && frames.count > 7400);
  assert.equal(frames.timeOf(frames.count - 1), 0.04 * 19999);
  frames.add(frame(3, 2)); // earlier: not again
  assert.equal(frames.timeOf(frames.count - 1), 0.04 * 19999);
  assert.ok(Math.abs(frames.at(0.04 * 19990.5).time - 0.04 * 19990.5) < 1e-9);
  frames.clear();
  assert.equal(frames.at(1), undefined);
  for (let i = 0; i < 3000; ++i) frames.add(frame(i, 10000));
  assert.ok(frames.count * 17 * 10000 <= 97e6 && frames.count > 400, `${frames.count} frames are kept`);
}

// The clock follows, is led away, and comes back.
{
  const clock = new Clock(0, 0, true);
  let told = 0;
  clock.onChange(() => ++told);
  clock.stretch(0, 10);
  for (let i = 0; i < 100; ++i) clock.advance(0.016);
  assert.ok(clock.following && clock.time === 10 && told > 0);
  clock.time = 4;
  clock.stretch(2, 12);
  clock.advance(1);
  assert.equal(clock.time, 4);
  assert.ok(!clock.following);
  clock.toggle();
  clock.advance(3);
  assert.equal(clock.time, 7);
  clock.advance(100);
  assert.ok(clock.following && !clock.playing, 'at the end it follows');
  clock.time = 5;
  clock.stretch(8, 20); // what it looks at is forgotten
  clock.advance(0.01);
  assert.equal(clock.time, 8);
  clock.restart(0);
  assert.ok(clock.following && clock.time === 0);
  const still = new Clock(0, 5);
  still.toggle();
  still.advance(9);
  assert.ok(still.time === 5 && !still.playing && !still.following);
}

{
  const track = new Track(1);
  assert.equal(track.at(3), 1);
  for (const [t, v] of [[1, 1], [2, 1], [3, 1], [4, 2], [5, 2]]) track.add(t, v);
  assert.deepEqual([0, 2.5, 3.5, 9].map((t) => track.at(t)), [1, 1, 1.5, 2]);
}

assert.deepEqual(rounds(-6, 10.2, 5), [-5, 0, 5, 10]);
assert.deepEqual(rounds(1, 1, 5), [1]);

assert.deepEqual([0, 0.12, -0.12, NaN, 1, -1, 1.2].map(shareOf), [0, 0, 0, 0, 1, -1, 1]);
assert.ok(Math.abs(shareOf(0.56) - 0.5) < 1e-12, 'half way beyond the dead zone is half');

await server.close();
console.log('what grows stays within its bounds and is what came in');
