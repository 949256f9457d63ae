// Where the data of a result comes from: the program that serves it, piece by piece, the page itself, or a run that goes on
// (live_source.ts).
import { FetchedFrames, type Frames } from './frames';

export interface Channel {
  name: string;
  unit: string;
  description: string;
  group: string;
  main: boolean;
}

export interface RunEvent {
  time: number;
  element: string;
  key: string;
  text: string;
}

export type Numbers = [number, number, number];
export type PoseNumbers = [number, number, number, number, number, number, number];

export interface Shape {
  kind: 'mesh' | 'box' | 'cylinder' | 'sphere';
  role: 'surface' | 'hull' | 'body' | 'guess' | 'sheave';
  name?: string;
  rope?: string;
  guess?: boolean;
  mesh?: number;
  size?: Numbers;
  radius?: number;
  length?: number;
  pose: PoseNumbers;
}

export interface SceneDocument {
  version: number;
  rate: number;
  units: 'engineering' | 'si';
  gravity: number;
  bodies: { name: string; mass?: number; weightless?: boolean; centre?: Numbers; on?: string; fixed?: boolean; points?: Record<string, Numbers>; shapes: Shape[] }[];
  world: Shape[];
  lines: { name: string; kind: 'rope' | 'mooring' | 'line'; mbl?: number; winches?: { name: string; end: 'from' | 'to' }[] }[];
  meshes: { name: string; first_point: number; points: number; first_triangle: number; triangles: number }[];
  sea?: { ramp: number; depth?: number; waves: [number, number, number, number, number][] };
  limits: { channel: string; bound: number; side: 'above' | 'below'; text: string }[];
  camera: { low: Numbers; high: Numbers };
}

export interface Meta {
  title: string;
  status: string;
  created: string;
  method: string;
  step: number;
  davit: string;
  file: string;
  rows: number;
  first: number;
  last: number;
  channels: Channel[];
  events: RunEvent[];
  frames: number;
  shape?: { bodies: number; lines: number; length_step: number; attitude_step: number; tension_step: number };
  scene?: SceneDocument;
  // Of a page that has not all of the result in it.
  compared?: boolean; // there is another result beside it
  stride?: number;
  frame_stride?: number;
  // Of a run that goes on.
  live?: LiveMeta;
}

export interface LeverMeta {
  name: string;
  unit: string;
  kind: 'winch' | 'joint' | 'factor' | 'angle' | 'set' | 'switch';
  speed: number; // the largest that it asks for
  acceleration: number;
  value: number;
  least: number | null;
  most: number | null;
}

export interface LiveMeta {
  tick: number;
  run: number;
  levers: LeverMeta[];
  phases: { name: string }[];
}

export interface PackedFrames {
  first: number;
  times: Float64Array;
  poses: Uint32Array;
  counts: Uint32Array;
  vertices: Uint32Array;
  flags: Uint8Array;
}

export interface Meshes {
  points: Float32Array;
  triangles: Uint32Array;
}

// Of a run that goes on: tells when there is more, and when it begins anew.
export interface Growth {
  onMore(listener: (event?: RunEvent) => void): void;
  onRestart(listener: (at: number) => void): void;
}

export interface Source {
  readonly meta: Meta;
  meshes(): Promise<Meshes>;
  openFrames(): Promise<Frames>;
  // Rows from `first` up to `last`, in stretches of `stride` rows or what there is: the middle time of each stretch, the
  // least and the greatest value.
  times(first: number, last: number, stride: number): Promise<Float64Array>;
  channel(index: number, first: number, last: number, stride: number): Promise<{ low: Float32Array; high: Float32Array }>;
  // Of every row, where they are all at hand.
  value?(channel: number, time: number): number;
  // The only stride there is; 0 where any can be had.
  readonly fixedStride: number;
  readonly growth?: Growth;
}

export function packedFrames(buffer: ArrayBuffer, offset = 0): PackedFrames {
  const [first, frames, poses, counts, vertices, flags] = new Float64Array(buffer, offset, 6);
  let at = offset + 48;
  const times = new Float64Array(buffer, at, frames);
  at += 8 * frames;
  const u32 = (n: number) => {
    const list = new Uint32Array(buffer, at, n);
    at += 4 * n;
    return list;
  };
  return { first, times, poses: u32(poses), counts: u32(counts), vertices: u32(vertices), flags: new Uint8Array(buffer, at, flags) };
}

export function meshesOf(buffer: ArrayBuffer): Meshes {
  const [points, triangles] = new Float64Array(buffer, 0, 2);
  return { points: new Float32Array(buffer, 16, points), triangles: new Uint32Array(buffer, 16 + 4 * points, triangles) };
}

function envelopeOf(buffer: ArrayBuffer) {
  const n = buffer.byteLength / 8;
  return { low: new Float32Array(buffer, 0, n), high: new Float32Array(buffer, 4 * n, n) };
}

// Answers that were had before, as many as are worth keeping.
class Memory {
  private readonly kept = new Map<string, Promise<unknown>>();
  remembered<T>(key: string, make: () => Promise<T>): Promise<T> {
    const found = this.kept.get(key) as Promise<T> | undefined;
    if (found) return found;
    const made = make();
    this.kept.set(key, made);
    made.catch(() => this.kept.delete(key));
    if (this.kept.size > 600) this.kept.delete(this.kept.keys().next().value as string);
    return made;
  }
}

export async function get(path: string): Promise<ArrayBuffer> {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.arrayBuffer();
}

export class Served implements Source {
  readonly fixedStride = 0;
  private readonly memory = new Memory();
  constructor(
    readonly meta: Meta,
    private readonly below: string,
  ) {}
  async meshes() {
    return meshesOf(await get(this.below + 'meshes'));
  }
  async openFrames() {
    const times = new Float64Array(await get(this.below + 'frame-times'));
    return new FetchedFrames(times, this.meta.shape!, async (first, count) => packedFrames(await get(`${this.below}frames?first=${first}&count=${count}`)));
  }
  times(first: number, last: number, stride: number) {
    const path = `${this.below}times?first=${first}&last=${last}&stride=${stride}`;
    return this.memory.remembered(path, async () => new Float64Array(await get(path)));
  }
  channel(index: number, first: number, last: number, stride: number) {
    const path = `${this.below}channel?index=${index}&first=${first}&last=${last}&stride=${stride}`;
    return this.memory.remembered(path, async () => envelopeOf(await get(path)));
  }
}

// Pieces are deflated and in base64, each in an element of its own.
export class Embedded implements Source {
  readonly fixedStride: number;
  private readonly memory = new Memory();
  constructor(
    readonly meta: Meta,
    private readonly framesPerPiece: number,
    private readonly prefix: string,
  ) {
    this.fixedStride = meta.stride ?? 1;
  }
  private async piece(name: string): Promise<ArrayBuffer> {
    const element = document.getElementById(this.prefix + name);
    if (!element) throw new Error(`the page has no piece '${name}'`);
    const bytes = Uint8Array.from(atob((element.textContent ?? '').trim()), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Response(stream).arrayBuffer();
  }
  static async open(prefix: string): Promise<Source> {
    const bare = new Embedded({} as Meta, 1, prefix);
    const text = new TextDecoder().decode(await bare.piece('meta'));
    const meta = JSON.parse(text) as Meta & { frames_per_piece: number };
    return new Embedded(meta, meta.frames_per_piece, prefix);
  }
  async meshes() {
    return meshesOf(await this.piece('meshes'));
  }
  async openFrames() {
    const times = new Float64Array(await this.piece('frame-times'));
    return new FetchedFrames(times, this.meta.shape!, async (first, count) => {
      const whole = packedFrames(await this.piece(`frames-${Math.floor(first / this.framesPerPiece)}`));
      if (whole.first !== first || whole.times.length < count) throw new Error('frames are asked for across pieces');
      return whole;
    });
  }
  times() {
    return this.memory.remembered('times', async () => new Float64Array(await this.piece('times')));
  }
  channel(index: number) {
    const name = `channel-${index}`;
    return this.memory.remembered(name, async () => envelopeOf(await this.piece(name)));
  }
}

export async function metaOf(below: string): Promise<Meta> {
  return JSON.parse(new TextDecoder().decode(await get(below + 'meta'))) as Meta;
}
