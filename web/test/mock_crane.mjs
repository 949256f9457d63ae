// A crane of kinematics only, for tests of the live page: a barge that rolls, king, boom, load on a rope.

const rotation = (axis, angle) => [Math.cos(angle / 2), ...axis.map((a) => a * Math.sin(angle / 2))];
const product = ([a, b, c, d], [e, f, g, h]) => [a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g, a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e];
const turned = (q, v) => product(product(q, [0, ...v]), [q[0], -q[1], -q[2], -q[3]]).slice(1);
const plus = (a, b) => a.map((x, i) => x + b[i]);

const boomLength = 45;
const box = (size, at, role = 'body') => ({ kind: 'box', role, size, pose: [...at, 1, 0, 0, 0] });

export const levers = [
  { name: 'hoist', unit: 'm', kind: 'winch', speed: 0.5, acceleration: 0.25, value: 30, least: 5, most: 50 },
  { name: 'luff', unit: 'rad', kind: 'joint', speed: 0.02, acceleration: 0.02, value: 0.9, least: 0.3, most: 1.4 },
  { name: 'slew', unit: 'rad', kind: 'joint', speed: 0.03, acceleration: 0.01, value: 0.4, least: null, most: null },
  { name: 'tugger', unit: 'm', kind: 'winch', speed: 0.3, acceleration: 0.3, value: 18, least: 2, most: 60 },
  { name: 'sea.height', unit: '1', kind: 'factor', speed: 0.1, acceleration: 0.1, value: 1, least: 0, most: 2 },
  { name: 'wind.speed', unit: '1', kind: 'factor', speed: 0.1, acceleration: 0.1, value: 1, least: 0, most: 2 },
  { name: 'wind.direction', unit: 'rad', kind: 'angle', speed: 0.1, acceleration: 0.1, value: 0, least: -Math.PI, most: Math.PI },
];

export const phases = ['lift_off', 'slew_over', 'set_down'];

const channel = (name, unit, description, group, main) => ({ name, unit, description, group, main });
export const channels = [
  channel('hoist.tension', 'N', 'tension of the hoist rope', 'hoist', true),
  channel('hoist.length', 'm', 'length of the hoist rope', 'hoist', true),
  channel('king.angle', 'rad', 'angle of the king', 'king', true),
  channel('boom.angle', 'rad', 'angle of the boom', 'boom', true),
  channel('barge.roll', 'rad', 'roll of the barge', 'barge', true),
  channel('energy.kinetic', 'J', 'kinetic energy', 'energy', false),
];

export const scene = {
  version: 1,
  rate: 25,
  units: 'engineering',
  gravity: 9.81,
  bodies: [
    { name: 'barge', mass: 5e6, centre: [0, 0, 0], shapes: [box([90, 27, 6], [0, 0, 0], 'surface')] },
    { name: 'king', mass: 2e5, centre: [0, 0, 4], on: 'barge', shapes: [box([7, 6, 9], [-1, 0, 4.5])] },
    { name: 'boom', mass: 6e4, centre: [22, 0, 0], on: 'king', points: { tip: [boomLength, 0, 0] }, shapes: [box([boomLength, 2, 2], [boomLength / 2, 0, 0])] },
    { name: 'load', mass: 8e4, centre: [0, 0, 0], shapes: [box([8, 6, 4], [0, 0, 0])] },
  ],
  world: [],
  lines: [
    { name: 'hoist', kind: 'rope', mbl: 3e6 },
    { name: 'tugger', kind: 'rope' },
  ],
  meshes: [],
  sea: { ramp: 0, waves: [[0.6, 0.7, 0.05, 0.4, 0], [0.3, 1.1, 0.123, 0.1, 1], [0.15, 1.7, 0.29, 0.7, 2]] },
  limits: [
    { channel: 'hoist.tension', bound: 1.1e6, side: 'below', text: 'WLL' },
    { channel: 'hoist.length', bound: 30.2, side: 'below', text: 'clear of the deck' },
  ],
  camera: { low: [-48, -20, -4], high: [60, 42, 50] },
};

export const shape = { bodies: scene.bodies.length, lines: scene.lines.length, length_step: 1e-4, attitude_step: 1e-7, tension_step: 1 };

export class Crane {
  t = 0;
  values = levers.map((l) => l.value);
  speeds = levers.map(() => 0);
  wanted = levers.map(() => 0);
  targets = levers.map(() => undefined);
  status = phases.map(() => 'waiting');
  began = phases.map(() => 0);

  step(dt) {
    levers.forEach((lever, i) => {
      if (this.targets[i] !== undefined) {
        const far = this.targets[i] - this.values[i];
        const most = Math.min(lever.speed, Math.sqrt(2 * lever.acceleration * Math.abs(far)));
        this.wanted[i] = Math.sign(far) * most;
        // What is left is less than a step: it is there.
        if (Math.abs(far) <= Math.max(1e-4, Math.abs(this.speeds[i]) * dt)) {
          this.values[i] = this.targets[i];
          this.targets[i] = undefined;
          this.wanted[i] = this.speeds[i] = 0;
        }
      }
      const change = lever.acceleration * dt;
      this.speeds[i] += Math.min(Math.max(this.wanted[i] - this.speeds[i], -change), change);
      this.values[i] += this.speeds[i] * dt;
    });
    phases.forEach((_, p) => {
      if (this.status[p] === 'running' && this.t - this.began[p] > 4) this.status[p] = 'done';
    });
    this.t += dt;
  }

  begin(phase) {
    this.status[phase] = 'running';
    this.began[phase] = this.t;
  }

  frame() {
    const roll = 0.02 * this.values[4] * Math.sin(0.6 * this.t);
    const barge = rotation([1, 0, 0], roll);
    const foot = turned(barge, [20, 0, 3]);
    const king = product(barge, rotation([0, 0, 1], this.values[2]));
    const heel = plus(foot, turned(king, [3, 0, 3]));
    const boom = product(king, rotation([0, 1, 0], -this.values[1]));
    const tip = plus(heel, turned(boom, [boomLength, 0, 0]));
    const swing = 0.05 * Math.sin(0.5 * this.t);
    const load = plus(tip, [this.values[0] * Math.sin(swing), 0, -this.values[0] * Math.cos(swing)]);
    const tension = 8e4 * 9.81 * (1 + 0.05 * Math.sin(1.2 * this.t));
    const poses = [[0, 0, 0, ...barge], [...foot, ...king], [...heel, ...boom], [...load, 1, 0, 0, 0]].flat();
    const ropes = [[tip, load], [plus(foot, turned(king, [0, 0, 5])), load]];
    return { poses, ropes, tensions: [tension, 2e4], roll, tension };
  }

  row() {
    const { roll, tension } = this.frame();
    return [tension, this.values[0], this.values[2], this.values[1], roll, 4e4 * this.speeds[0] ** 2];
  }
}

const zigzag = (count) => ((count << 1) ^ (count >> 31)) >>> 0;

// One key frame, as docs/live.md has it.
export function packedFrame(time, { poses, ropes, tensions }) {
  const packed = poses.map((x, i) => zigzag(Math.round(x / (i % 7 < 3 ? shape.length_step : shape.attitude_step))));
  const vertices = ropes.flatMap((rope, l) => rope.flatMap((p) => [...p.map((x) => zigzag(Math.round(x / shape.length_step))), zigzag(Math.round(tensions[l] / shape.tension_step))]));
  const flags = ropes.flatMap((rope) => rope.map((_, i) => (i + 1 === rope.length ? 4 : 0)));
  const head = [1, 0, 1, packed.length, ropes.length, vertices.length, flags.length, time];
  return Buffer.concat([Buffer.from(Float64Array.from(head).buffer), Buffer.from(Uint32Array.from([...packed, ...ropes.map((r) => r.length), ...vertices]).buffer), Buffer.from(flags)]);
}

export function packedRows(rows) {
  const head = Float64Array.from([2, rows.length, channels.length, ...rows.map((r) => r.t)]);
  return Buffer.concat([Buffer.from(head.buffer), Buffer.from(Float32Array.from(rows.flatMap((r) => r.values)).buffer)]);
}
