// Frames of the scene: fetched and unpacked piece by piece when they are asked for, or kept as they come in; interpolated
// between.
import type { Meta, PackedFrames } from './source';

export const framesPerBlock = 64;
export const piece = 4 * framesPerBlock; // that are fetched together
const mostPieces = 60; // that are kept
const mostFrames = 7500; // of a growing run: five minutes at 25 a second
const mostBytes = 96e6;

export const flagSticks = 1;
export const flagSlips = 2;
export const flagGap = 4;

export interface Line {
  at: Float32Array; // x, y, z of every vertex
  tension: Float32Array;
  flags: Uint8Array;
}

export interface Frame {
  time: number;
  poses: Float64Array; // seven numbers for each body
  lines: Line[];
}

const unzigzag = (kept: number) => (kept >>> 1) ^ -(kept & 1);

// As result/frame_packing.cpp, which says how.
export function unpack(packed: PackedFrames, shape: NonNullable<Meta['shape']>): Frame[] {
  const numbers = 7 * shape.bodies;
  const last = new Int32Array(numbers);
  const before = new Int32Array(numbers);
  const lines = Array.from({ length: shape.lines }, () => ({ last: new Int32Array(0), before: new Int32Array(0), same: 0 }));
  const expected = (after: number, l: number, b: number) => (after === 0 ? 0 : after === 1 ? l : 2 * l - b);
  const out: Frame[] = [];
  let p = 0;
  let vertex = 0;
  for (let f = 0; f < packed.times.length; ++f) {
    const after = Math.min((packed.first + f) % framesPerBlock, 2);
    const poses = new Float64Array(numbers);
    for (let i = 0; i < numbers; ++i) {
      const now = (unzigzag(packed.poses[p++]) + expected(after, last[i], before[i])) | 0;
      before[i] = last[i];
      last[i] = now;
      poses[i] = now * (i % 7 < 3 ? shape.length_step : shape.attitude_step);
    }
    const drawn: Line[] = [];
    for (let l = 0; l < shape.lines; ++l) {
      const count = packed.counts[f * shape.lines + l];
      const line = lines[l];
      if (after === 0 || line.last.length !== 4 * count) {
        line.same = 0;
        line.last = new Int32Array(4 * count);
        line.before = new Int32Array(4 * count);
      }
      const at = new Float32Array(3 * count);
      const tension = new Float32Array(count);
      for (let n = 0; n < 4 * count; ++n) {
        const now = (unzigzag(packed.vertices[4 * vertex + n]) + expected(line.same, line.last[n], line.before[n])) | 0;
        line.before[n] = line.last[n];
        line.last[n] = now;
        const k = n & 3;
        if (k < 3) at[3 * (n >> 2) + k] = now * shape.length_step;
        else tension[n >> 2] = now * shape.tension_step;
      }
      drawn.push({ at, tension, flags: packed.flags.slice(vertex, vertex + count) });
      vertex += count;
      line.same = Math.min(line.same + 1, 2);
    }
    out.push({ time: packed.times[f], poses, lines: drawn });
  }
  return out;
}

export abstract class Frames {
  abstract readonly count: number;
  abstract timeOf(index: number): number;
  // At once, or nothing while it is fetched.
  abstract get(index: number): Frame | undefined;
  abstract fetch(index: number): Promise<Frame | undefined>;

  // The frame that is shown at a time: the last that is not later.
  indexAt(time: number): number {
    let low = 0;
    let high = Math.max(this.count - 1, 0);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.timeOf(middle) <= time + 1e-9) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // Between frames: places linearly, attitudes by the shorter way.
  at(time: number): Frame | undefined {
    const i = this.indexAt(time);
    const a = this.get(i);
    if (!a || i + 1 >= this.count) return a;
    const b = this.get(i + 1);
    if (!b) return a;
    const s = Math.min(Math.max((time - a.time) / (b.time - a.time), 0), 1);
    return s < 1e-6 ? a : blend(a, b, s, time);
  }
}

export class FetchedFrames extends Frames {
  private pieces = new Map<number, Frame[] | Promise<Frame[]>>();
  constructor(
    private readonly times: Float64Array,
    private readonly shape: NonNullable<Meta['shape']>,
    private readonly fetchPacked: (first: number, count: number) => Promise<PackedFrames>,
  ) {
    super();
  }

  get count() {
    return this.times.length;
  }
  timeOf(index: number) {
    return this.times[index];
  }

  private load(number: number): Frame[] | Promise<Frame[]> {
    const there = this.pieces.get(number);
    if (there) return there;
    const first = number * piece;
    const promise = this.fetchPacked(first, Math.min(piece, this.count - first)).then((packed) => {
      const frames = unpack(packed, this.shape);
      this.pieces.set(number, frames);
      for (const old of this.pieces.keys()) {
        if (this.pieces.size <= mostPieces) break;
        if (Math.abs(old - number) > 2) this.pieces.delete(old);
      }
      return frames;
    });
    promise.catch(() => this.pieces.delete(number));
    this.pieces.set(number, promise);
    return promise;
  }

  get(index: number): Frame | undefined {
    const found = this.load(Math.floor(index / piece));
    if (!Array.isArray(found)) return undefined;
    const next = Math.floor((index + framesPerBlock) / piece);
    if (next * piece < this.count) void this.load(next); // what comes next is on its way
    return found[index % piece];
  }

  async fetch(index: number): Promise<Frame> {
    return (await this.load(Math.floor(index / piece)))[index % piece];
  }
}

const bytesOf = (frame: Frame) => frame.lines.reduce((sum, line) => sum + 17 * line.tension.length + 300, 8 * frame.poses.length + 100);

// The last minutes of a run that goes on.
export class GrowingFrames extends Frames {
  private kept: Frame[] = [];
  private bytes = 0;

  get count() {
    return this.kept.length;
  }
  timeOf(index: number) {
    return this.kept[index].time;
  }
  get(index: number) {
    return this.kept[index];
  }
  async fetch(index: number) {
    return this.kept[index];
  }

  add(frame: Frame) {
    if (this.count > 0 && frame.time <= this.kept[this.count - 1].time) return;
    this.kept.push(frame);
    this.bytes += bytesOf(frame);
    if (this.count < framesPerBlock || (this.count <= mostFrames && this.bytes <= mostBytes)) return;
    for (const old of this.kept.splice(0, framesPerBlock / 2)) this.bytes -= bytesOf(old);
  }

  clear() {
    this.kept = [];
    this.bytes = 0;
  }
}

function blend(a: Frame, b: Frame, s: number, time: number): Frame {
  const poses = new Float64Array(a.poses.length);
  for (let i = 0; i < poses.length; i += 7) {
    for (let k = 0; k < 3; ++k) poses[i + k] = a.poses[i + k] + s * (b.poses[i + k] - a.poses[i + k]);
    let along = 0;
    for (let k = 3; k < 7; ++k) along += a.poses[i + k] * b.poses[i + k];
    const sign = along < 0 ? -1 : 1;
    let size = 0;
    for (let k = 3; k < 7; ++k) {
      poses[i + k] = (1 - s) * a.poses[i + k] + s * sign * b.poses[i + k];
      size += poses[i + k] ** 2;
    }
    size = Math.sqrt(size) || 1;
    for (let k = 3; k < 7; ++k) poses[i + k] /= size;
  }
  const lines = a.lines.map((line, l) => {
    const other = b.lines[l];
    if (other.tension.length !== line.tension.length) return line;
    const at = new Float32Array(line.at.length);
    for (let i = 0; i < at.length; ++i) at[i] = line.at[i] + s * (other.at[i] - line.at[i]);
    const tension = line.tension.map((t, i) => t + s * (other.tension[i] - t));
    return { at, tension, flags: line.flags };
  });
  return { time, poses, lines };
}
