// What the page works out of a rope's pieces against what the program recorded: forces on sheaves and edges, and how much
// rope ran over each sheave.
//   node test/reeving.mjs ADDRESS...        of results that `davit view` serves
import assert from 'node:assert/strict';
import { Quaternion, Vector3 } from 'three';
import { createServer } from 'vite';

const server = await createServer({ server: { middlewareMode: true }, appType: 'custom', logLevel: 'error' });
const { unpack } = await server.ssrLoadModule('/src/frames.ts');
const { packedFrames } = await server.ssrLoadModule('/src/source.ts');
const { forceOver, lengthUpTo, onWheel } = await server.ssrLoadModule('/src/reeving.ts');

async function open(address) {
  const get = async (path) => (await fetch(address + 'api/' + path)).arrayBuffer();
  const meta = JSON.parse(new TextDecoder().decode(await get('meta')));
  const times = new Float64Array(await get(`times?first=0&last=${meta.rows}&stride=1`));
  const channel = async (name) => {
    const index = meta.channels.findIndex((c) => c.name === name);
    assert.ok(index >= 0, `there is no channel ${name}`);
    return new Float32Array(await get(`channel?index=${index}&first=0&last=${meta.rows}&stride=1`), 0, meta.rows);
  };
  const frames = unpack(packedFrames(await get(`frames?first=0&count=${Math.min(meta.frames, 256)}`)), meta.shape);
  const row = (t) => times.findLastIndex((time) => time <= t + 1e-6);
  return { meta, times, channel, frames, row };
}

const poseOf = (frame, b) => ({
  at: new Vector3(...frame.poses.subarray(7 * b, 7 * b + 3)),
  turn: new Quaternion(frame.poses[7 * b + 4], frame.poses[7 * b + 5], frame.poses[7 * b + 6], frame.poses[7 * b + 3]),
});

async function wheels({ meta, times, channel, frames, row }) {
  let count = 0;
  for (const [b, body] of meta.scene.bodies.entries())
    for (const shape of body.shapes.filter(({ role }) => role === 'sheave')) {
      const pass = meta.channels.find(({ name, description }) => name.startsWith(`${shape.rope}.pass`) && name.endsWith('.slip') && description.endsWith(` ${shape.name}`));
      if (!pass) continue;
      ++count;
      const l = meta.scene.lines.findIndex(({ name }) => name === shape.rope);
      const [winch] = meta.scene.lines[l].winches;
      assert.equal(winch.end, 'from');
      const [force, slip, paid] = [await channel(pass.name.replace('.slip', '.force')), await channel(pass.name), await channel(`${winch.name}.paid_out`)];
      const over = new Float64Array(times.length);
      for (let i = 1; i < times.length; ++i) over[i] = over[i - 1] + ((slip[i] + slip[i - 1]) / 2) * (times[i] - times[i - 1]);
      let zero;
      const f = { x: 0, y: 0, z: 0 };
      for (const frame of frames) {
        const { at, turn } = poseOf(frame, b);
        const centre = new Vector3(...shape.pose.slice(0, 3)).applyQuaternion(turn).add(at);
        const touch = onWheel(frame.lines[l], centre, shape.radius);
        assert.ok(touch, `${shape.rope} is not seen on ${shape.name} at ${frame.time} s`);
        const i = row(frame.time);
        forceOver(frame.lines[l], touch, f);
        const size = Math.hypot(f.x, f.y, f.z);
        assert.ok(Math.abs(size - force[i]) < 0.002 * force[i], `${shape.name} at ${frame.time} s: ${size} N and not ${force[i]} N`);
        const ran = paid[i] - lengthUpTo(frame.lines[l], touch.first) - over[i];
        zero ??= ran;
        // The stretch of the rope, and the rounding of frames.
        assert.ok(Math.abs(ran - zero) < 0.03, `${shape.name} at ${frame.time} s: ${(ran - zero).toFixed(4)} m of rope too many`);
      }
    }
  return count;
}

async function edges({ meta, channel, frames, row }) {
  let count = 0;
  for (const [l, { name }] of meta.scene.lines.entries()) {
    if (!meta.channels.some((c) => c.name === `${name}.contact_force`)) continue;
    const largest = await channel(`${name}.contact_force`);
    const f = { x: 0, y: 0, z: 0 };
    for (const frame of frames) {
      const line = frame.lines[l];
      let most = 0;
      for (let i = 1; i + 1 < line.tension.length; ++i) {
        if ((line.flags[i] & 3) === 0) continue;
        forceOver(line, { first: i, last: i }, f);
        most = Math.max(most, Math.hypot(f.x, f.y, f.z));
        ++count;
      }
      const recorded = largest[row(frame.time)];
      assert.ok(Math.abs(most - recorded) < 0.005 * recorded + 50, `${name} at ${frame.time} s: ${most} N and not ${recorded} N`);
    }
  }
  return count;
}

for (const address of process.argv.slice(2)) {
  const result = await open(address);
  const [w, e] = [await wheels(result), await edges(result)];
  assert.ok(w + e > 0, `${address} has nothing to compare`);
  console.log(`${result.meta.title}: ${w} sheaves and ${e} places on edges as recorded`);
}
await server.close();
