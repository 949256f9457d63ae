// Curves of channels: the least and the greatest of as many stretches as there are pixels, finer when one zooms in.
import type { Source } from './source';

const pairs = 1600; // to a curve

export interface Window {
  from: number;
  to: number;
}

export interface Curve {
  times: number[];
  values: (number | null)[];
  exact: boolean; // every row
}

export interface Statistics {
  min: number;
  max: number;
  mean: number;
  deviation: number;
  exact: boolean;
}

interface Stretch {
  first: number;
  last: number;
  stride: number;
}

export class Series {
  private coarseStride = 1; // of the times by which rows are found

  constructor(private readonly source: Source) {}

  private async row(time: number): Promise<number> {
    const rows = this.source.meta.rows;
    this.coarseStride = Math.max(1, Math.ceil(rows / 4096));
    const times = await this.source.times(0, rows, this.coarseStride);
    let low = 0;
    let high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle] < time) low = middle + 1;
      else high = middle;
    }
    return Math.min(low * this.coarseStride, rows);
  }

  private async stretch(window: Window): Promise<Stretch> {
    const rows = this.source.meta.rows;
    if (this.source.fixedStride) return { first: 0, last: rows, stride: this.source.fixedStride };
    const whole = window.from <= this.source.meta.first && window.to >= this.source.meta.last;
    const first = whole ? 0 : Math.max(0, (await this.row(window.from)) - 2 * this.coarseStride);
    const last = whole ? rows : Math.min(rows, (await this.row(window.to)) + 2 * this.coarseStride);
    const stride = Math.max(1, Math.ceil((last - first) / pairs));
    return { first: Math.floor(first / stride) * stride, last, stride };
  }

  private async envelope(channel: number, { first, last, stride }: Stretch) {
    const [times, values] = await Promise.all([this.source.times(first, last, stride), this.source.channel(channel, first, last, stride)]);
    return { times, ...values };
  }

  // Angles go on past a half turn, as in the report.
  async curve(channel: number, window: Window): Promise<Curve> {
    const of = await this.stretch(window);
    const { times, low, high } = await this.envelope(channel, of);
    const out: Curve = { times: [], values: [], exact: of.stride === 1 };
    const n = times.length;
    const unwrap = this.source.meta.channels[channel].unit === 'rad';
    let turns = 0;
    let before = Number.NaN;
    for (let i = 0; i < n; ++i) {
      const step = i + 1 < n ? times[i + 1] - times[i] : i > 0 ? times[i] - times[i - 1] : 0;
      let a = low[i];
      let b = high[i];
      if (unwrap && of.stride === 1) {
        if (a - before > Math.PI) turns -= 1;
        if (before - a > Math.PI) turns += 1;
        before = a;
        a += 2 * Math.PI * turns;
        b = a;
      }
      if (of.stride === 1) {
        out.times.push(times[i]);
        out.values.push(Number.isNaN(a) ? null : a);
      } else {
        out.times.push(times[i] - step / 4, times[i] + step / 4);
        out.values.push(Number.isNaN(a) ? null : a, Number.isNaN(b) ? null : b);
      }
    }
    return out;
  }

  // Samples for a spectrum: every row where there are not too many, else the middle of stretches.
  async samples(channel: number, window: Window): Promise<{ times: number[]; values: number[] }> {
    const of = await this.stretch(window);
    const finer = this.source.fixedStride ? of : { ...of, stride: Math.max(1, Math.ceil((of.last - of.first) / 32768)) };
    const { times, low, high } = await this.envelope(channel, finer);
    const out = { times: [] as number[], values: [] as number[] };
    for (let i = 0; i < times.length; ++i) {
      const value = (low[i] + high[i]) / 2;
      if (times[i] < window.from || times[i] > window.to || Number.isNaN(value)) continue;
      out.times.push(times[i]);
      out.values.push(value);
    }
    return out;
  }

  async statistics(channel: number, window: Window): Promise<Statistics> {
    const curve = await this.curve(channel, window);
    let n = 0;
    let sum = 0;
    let squares = 0;
    let min = Infinity;
    let max = -Infinity;
    curve.times.forEach((t, i) => {
      const v = curve.values[i];
      if (v === null || t < window.from || t > window.to) return;
      ++n;
      sum += v;
      squares += v * v;
      min = Math.min(min, v);
      max = Math.max(max, v);
    });
    const mean = sum / n;
    return { min, max, mean, deviation: Math.sqrt(Math.max(squares / n - mean * mean, 0)), exact: curve.exact };
  }

  private async atHand(channel: number) {
    const { times, low, high } = await this.envelope(channel, await this.stretch({ from: this.source.meta.first, to: this.source.meta.last }));
    const before = (time: number) => {
      let a = 0;
      let b = times.length - 1;
      while (a < b) {
        const middle = (a + b + 1) >> 1;
        if (times[middle] <= time) a = middle;
        else b = middle - 1;
      }
      return a;
    };
    return { times, before, value: (i: number) => (low[i] + high[i]) / 2 };
  }

  // The value at a time, from all of the run; as good as its stretches are short.
  async sampler(channel: number): Promise<(time: number) => number> {
    const { source } = this;
    if (source.value) return (time) => source.value!(channel, time);
    const { before, value } = await this.atHand(channel);
    return (time) => value(before(time));
  }

  // The same, linear between.
  async smooth(channel: number): Promise<(time: number) => number> {
    if (this.source.value) return this.sampler(channel);
    const { times, before, value } = await this.atHand(channel);
    return (time) => {
      const i = before(time);
      if (i + 1 >= times.length) return value(i);
      const s = Math.min(Math.max((time - times[i]) / (times[i + 1] - times[i]), 0), 1);
      return value(i) + s * (value(i + 1) - value(i));
    };
  }
}
