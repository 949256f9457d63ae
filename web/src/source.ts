// Where the data of a result comes from: the program that serves it, piece by piece, or the page itself.

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
  bodies: { name: string; mass?: number; centre?: Numbers; on?: string; fixed?: boolean; points?: Record<string, Numbers>; shapes: Shape[] }[];
  world: Shape[];
  lines: { name: string; kind: 'rope' | 'mooring' | 'line'; mbl?: number }[];
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
}

export interface PackedFrames {
  first: number;
  times: Float64Array;
  poses: Uint32Array;
  counts: Uint32Array;
  vertices: Uint32Array;
  flags: Uint8Array;
}

// The least and the greatest of every stretch of rows.
export interface Envelope {
  stride: number;
  times: Float64Array;
  low: Float32Array;
  high: Float32Array;
}

export interface Source {
  readonly meta: Meta;
  meshes(): Promise<{ points: Float32Array; triangles: Uint32Array }>;
  frameTimes(): Promise<Float64Array>;
  frames(first: number, count: number): Promise<PackedFrames>;
  // Rows from `first` up to `last`, in stretches of `stride` rows or what there is.
  times(first: number, last: number, stride: number): Promise<Float64Array>;
  channel(index: number, first: number, last: number, stride: number): Promise<{ low: Float32Array; high: Float32Array }>;
  // The only stride there is; 0 where any can be had.
  readonly fixedStride: number;
}

function packedFrames(buffer: ArrayBuffer): PackedFrames {
  const head = new Float64Array(buffer, 0, 6);
  const [first, frames, poses, counts, vertices, flags] = head;
  let at = 48;
  const times = new Float64Array(buffer, at, frames);
  at += 8 * frames;
  const u32 = (n: number) => {
    const list = new Uint32Array(buffer, at, n);
    at += 4 * n;
    return list;
  };
  return { first, times, poses: u32(poses), counts: u32(counts), vertices: u32(vertices), flags: new Uint8Array(buffer, at, flags) };
}

function meshesOf(buffer: ArrayBuffer) {
  const [points, triangles] = new Float64Array(buffer, 0, 2);
  return { points: new Float32Array(buffer, 16, points), triangles: new Uint32Array(buffer, 16 + 4 * points, triangles) };
}

function envelopeOf(buffer: ArrayBuffer) {
  const n = buffer.byteLength / 8;
  return { low: new Float32Array(buffer, 0, n), high: new Float32Array(buffer, 4 * n, n) };
}

class Served implements Source {
  readonly fixedStride = 0;
  constructor(
    readonly meta: Meta,
    private readonly below: string,
  ) {}
  static async open(below: string): Promise<Source> {
    return new Served((await (await fetch(below + 'meta')).json()) as Meta, below);
  }
  private async get(path: string): Promise<ArrayBuffer> {
    const answer = await fetch(this.below + path);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.arrayBuffer();
  }
  async meshes() {
    return meshesOf(await this.get('meshes'));
  }
  async frameTimes() {
    return new Float64Array(await this.get('frame-times'));
  }
  async frames(first: number, count: number) {
    return packedFrames(await this.get(`frames?first=${first}&count=${count}`));
  }
  async times(first: number, last: number, stride: number) {
    return new Float64Array(await this.get(`times?first=${first}&last=${last}&stride=${stride}`));
  }
  async channel(index: number, first: number, last: number, stride: number) {
    return envelopeOf(await this.get(`channel?index=${index}&first=${first}&last=${last}&stride=${stride}`));
  }
}

// Pieces are deflated and in base64, each in an element of its own.
class Embedded implements Source {
  readonly fixedStride: number;
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
  async frameTimes() {
    return new Float64Array(await this.piece('frame-times'));
  }
  async frames(first: number, count: number) {
    const whole = packedFrames(await this.piece(`frames-${Math.floor(first / this.framesPerPiece)}`));
    if (whole.first !== first || whole.times.length < count) throw new Error('frames are asked for across pieces');
    return whole;
  }
  async times() {
    return new Float64Array(await this.piece('times'));
  }
  async channel(index: number) {
    return envelopeOf(await this.piece(`channel-${index}`));
  }
}

const embedded = () => document.getElementById('davit-meta') !== null;
export const openSource = (): Promise<Source> => (embedded() ? Embedded.open('davit-') : Served.open('api/'));
// What it is compared with.
export const openOther = (): Promise<Source> => (embedded() ? Embedded.open('davit-other-') : Served.open('other/'));
