// A run that goes on: what comes in is kept in memory, the last minutes of frames and as many rows as fit.
import { GrowingFrames, unpack } from './frames';
import { LiveLink, type Message } from './live_link';
import { RowStore } from './row_store';
import { get, meshesOf, packedFrames, type Growth, type Meta, type RunEvent, type Source } from './source';

const frameKind = 1;
const rowsKind = 2;
const mostEvents = 4000; // that are kept, as of a result

export class LiveSource implements Source, Growth {
  readonly fixedStride = 0;
  readonly growth: Growth = this;
  readonly link = new LiveLink();
  private readonly store: RowStore;
  private readonly frames = new GrowingFrames();
  private run: number;
  private readonly more: ((event?: RunEvent) => void)[] = [];
  private readonly restarts: ((at: number) => void)[] = [];
  private readonly limits: { channel: number; name: string; bound: number; sign: number; over: boolean }[];

  constructor(readonly meta: Meta) {
    this.store = new RowStore(meta.channels.length);
    this.run = meta.live!.run;
    const index = new Map(meta.channels.map((c, i) => [c.name, i]));
    this.limits = (meta.scene?.limits ?? []).flatMap(({ channel, bound, side }) =>
      index.has(channel) ? [{ channel: index.get(channel)!, name: channel, bound, sign: side === 'above' ? -1 : 1, over: false }] : [],
    );
    this.link.onMessage((message) => this.hear(message));
    this.link.onBinary((buffer) => this.take(buffer));
  }

  onMore(listener: (event?: RunEvent) => void) {
    this.more.push(listener);
  }
  onRestart(listener: (at: number) => void) {
    this.restarts.push(listener);
  }

  private happened(event: RunEvent) {
    this.meta.events.push(event);
    if (this.meta.events.length > mostEvents) this.meta.events.shift();
    for (const listener of this.more) listener(event);
  }

  private hear({ began, event }: Message) {
    if (event) this.happened(event);
    if (!began) return;
    // After a lost line the same run may go on.
    const goesOn = began.run === this.run && began.t >= Math.max(this.meta.last, this.lastFrame);
    this.run = began.run;
    if (goesOn) return;
    this.store.clear();
    this.frames.clear();
    this.meta.events.length = 0;
    for (const limit of this.limits) limit.over = false;
    this.count();
    for (const listener of this.restarts) listener(began.start);
  }

  private get lastFrame(): number {
    return this.frames.count > 0 ? this.frames.timeOf(this.frames.count - 1) : 0;
  }

  private take(buffer: ArrayBuffer) {
    const kind = new Float64Array(buffer, 0, 1)[0];
    if (kind === frameKind) for (const frame of unpack(packedFrames(buffer, 8), this.meta.shape!)) this.frames.add(frame);
    else if (kind === rowsKind) this.takeRows(buffer);
    else throw new Error(`the program sent something of kind ${kind} that this page does not know`);
    this.count();
    for (const listener of this.more) listener();
  }

  private takeRows(buffer: ArrayBuffer) {
    const [, n, m] = new Float64Array(buffer, 0, 3);
    if (m !== this.meta.channels.length) throw new Error(`a row has ${m} values, but there are ${this.meta.channels.length} channels`);
    const times = new Float64Array(buffer, 24, n);
    const values = new Float32Array(buffer, 24 + 8 * n, n * m);
    this.store.add(times, values);
    for (let row = 0; row < n; ++row) this.watchLimits(times[row], values.subarray(row * m, (row + 1) * m));
  }

  private watchLimits(time: number, values: Float32Array) {
    for (const limit of this.limits) {
      const over = limit.sign * (values[limit.channel] - limit.bound) > 0;
      if (over && !limit.over) this.happened({ time, element: limit.name, key: 'limit', text: 'beyond its bound' });
      limit.over = over;
    }
  }

  private count() {
    this.meta.rows = this.store.rows;
    this.meta.first = this.store.first;
    this.meta.last = this.store.last;
    this.meta.frames = this.frames.count;
  }

  async meshes() {
    return meshesOf(await get('api/meshes'));
  }
  async openFrames() {
    return this.frames;
  }
  value(channel: number, time: number) {
    return this.store.value(channel, time);
  }
  async times(first: number, last: number, stride: number) {
    return this.store.times(first, last, stride);
  }
  async channel(index: number, first: number, last: number, stride: number) {
    return this.store.envelope(index, first, last, stride);
  }
}
