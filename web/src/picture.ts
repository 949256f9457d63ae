// What a plot shows, in the units that are shown: of channels over time, of their difference to another run, of their
// spectra. Screen and files draw it.
import type { Curve, Series, Window } from './series';
import { spectrum } from './spectrum';
import type { Source } from './source';
import { displayUnit, readable, type UnitSystem } from './units';

export type Mode = 'curves' | 'difference' | 'spectrum';

export interface DrawnCurve {
  label: string;
  colour: number; // which of the palette
  dashed: boolean;
  values: (number | null)[];
}

export interface Picture {
  x: number[];
  xName: string;
  unit: string;
  scale: number; // of the channels' unit to what is shown
  joined: boolean; // curves have places of their own: what lies between is joined
  curves: DrawnCurve[];
  limits: { at: number; text: string }[];
  notes: string[]; // one for each channel, in place of statistics
}

export interface Run {
  source: Source;
  series: Series;
}

export interface Subject {
  unit: string;
  channels: number[];
  window: Window;
  units: UnitSystem;
  run: Run;
  other?: Run;
}

const largestOf = (lists: (number | null)[][]) => {
  let largest = 0;
  for (const list of lists) for (const v of list) if (v !== null) largest = Math.max(largest, Math.abs(v));
  return largest;
};
const scaled = (values: (number | null)[], scale: number) => values.map((v) => (v === null ? null : v * scale));
const nameOf = ({ run }: Subject, channel: number) => run.source.meta.channels[channel].name;

// The channels of the same names in the other run; -1 where it has none.
function counterparts(subject: Subject): number[] {
  const names = new Map(subject.other?.source.meta.channels.map((c, i) => [c.name, i]));
  return subject.channels.map((c) => names.get(nameOf(subject, c)) ?? -1);
}

// Channels with one and the same bound share a line and its words.
function limitsOf(subject: Subject, scale: number, unit: string): Picture['limits'] {
  const names = new Set(subject.channels.map((c) => nameOf(subject, c)));
  const bounds = new Map<string, { at: number; words: string; channels: string[] }>();
  for (const { channel, bound, side } of subject.run.source.meta.scene?.limits ?? []) {
    if (!names.has(channel)) continue;
    const at = bound * scale;
    const words = `${side} ${readable(at)} ${unit}`.trim();
    const known = bounds.get(`${side} ${bound}`);
    if (known) known.channels.push(channel);
    else bounds.set(`${side} ${bound}`, { at, words, channels: [channel] });
  }
  return [...bounds.values()].map(({ at, words, channels }) => {
    const more = channels.length > 1 ? ` and ${channels.length - 1} more` : '';
    return { at, text: `${channels[0]}${more} ${words}` };
  });
}

type Points = { x: number[]; values: (number | null)[] };

// Curves on all of their places: null where a curve has none.
function onOneAxis(parts: Points[]): { x: number[]; lists: (number | null)[][] } {
  if (parts.every((part) => part.x === parts[0].x)) return { x: parts[0].x, lists: parts.map((part) => part.values) };
  const x = [...new Set(parts.flatMap((part) => part.x))].sort((p, q) => p - q);
  const lists = parts.map((part) => {
    const at = new Map(part.x.map((place, i) => [place, i]));
    return x.map((place) => part.values[at.get(place) ?? -1] ?? null);
  });
  return { x, lists };
}

async function curvesOf(subject: Subject): Promise<Picture> {
  const { run, other, channels, window } = subject;
  const own = await Promise.all(channels.map((c) => run.series.curve(c, window)));
  const found = other ? counterparts(subject).flatMap((c, i) => (c < 0 ? [] : [{ c, i }])) : [];
  const beside = await Promise.all(found.map(({ c }) => other!.series.curve(c, window)));
  const shown = displayUnit(subject.unit, largestOf(own.map((c) => c.values)), subject.units);
  const points = (curves: Curve[], x = curves[0]?.times): Points[] => curves.map((c) => ({ x, values: scaled(c.values, shown.scale) }));
  const { x, lists } = onOneAxis([...points(own), ...points(beside)]);
  return {
    x,
    xName: 'time [s]',
    unit: shown.name || '–',
    scale: shown.scale,
    joined: beside.length > 0,
    curves: lists.map((values, k) => {
      const colour = k < own.length ? k : found[k - own.length].i;
      const name = nameOf(subject, channels[colour]);
      return { label: k < own.length ? name : `${name} (other)`, colour, dashed: k >= own.length, values };
    }),
    limits: limitsOf(subject, shown.scale, shown.name),
    notes: [],
  };
}

// The other run between its rows.
function between(times: number[], values: number[], t: number): number | null {
  if (times.length === 0 || t < times[0] || t > times[times.length - 1]) return null;
  let low = 0;
  let high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  const span = times[high] - times[low];
  return span > 0 ? values[low] + ((t - times[low]) / span) * (values[high] - values[low]) : values[low];
}

// This run less the other, which is taken at this one's times.
async function differenceOf(subject: Subject): Promise<Picture> {
  const { run, other, channels, window } = subject;
  const partners = counterparts(subject);
  const wide = { from: window.from - 0.01 * (window.to - window.from), to: window.to + 0.01 * (window.to - window.from) };
  const own = await Promise.all(channels.map((c) => run.series.samples(c, window)));
  const beside = await Promise.all(partners.map((c) => (c < 0 ? { times: [], values: [] } : other!.series.samples(c, wide))));
  const lists = own.map(({ times, values }, i) =>
    times.map((t, k) => {
      const there = between(beside[i].times, beside[i].values, t);
      return there === null ? null : values[k] - there;
    }),
  );
  const shown = displayUnit(subject.unit, largestOf(lists), subject.units);
  return {
    x: own[0].times,
    xName: 'time [s]',
    unit: shown.name || '–',
    scale: shown.scale,
    joined: false,
    curves: lists.map((values, i) => ({ label: `difference of ${nameOf(subject, channels[i])}`, colour: i, dashed: false, values: scaled(values, shown.scale) })),
    limits: [],
    notes: lists.map((values, i) => {
      if (partners[i] < 0) return 'not in the other run';
      const given = values.filter((v) => v !== null);
      if (given.length === 0) return 'the other run has no such time';
      const squares = given.reduce((sum, v) => sum + v * v, 0);
      return `largest ${readable(largestOf([given]) * shown.scale)}, rms ${readable(Math.sqrt(squares / given.length) * shown.scale)}`;
    }),
  };
}

async function spectraOf(subject: Subject): Promise<Picture> {
  const { run, channels, window } = subject;
  const spectra = (await Promise.all(channels.map((c) => run.series.samples(c, window)))).map((s) => spectrum(s.times, s.values));
  const shown = displayUnit(subject.unit, Math.sqrt(largestOf(spectra.map((s) => s.densities))), subject.units);
  const scale = shown.scale ** 2;
  const { x, lists } = onOneAxis(spectra.map((s) => ({ x: s.frequencies, values: scaled(s.densities, scale) })));
  return {
    x,
    xName: 'frequency [Hz]',
    unit: `(${shown.name || '1'})²/Hz`,
    scale,
    joined: true,
    curves: lists.map((values, i) => ({ label: nameOf(subject, channels[i]), colour: i, dashed: false, values })),
    limits: [],
    notes: spectra.map(({ frequencies, densities }) => {
      const peak = densities.indexOf(largestOf([densities]));
      return peak >= 0 ? `peak at ${readable(frequencies[peak])} Hz, ${readable(1 / frequencies[peak])} s` : 'too few rows';
    }),
  };
}

export const pictureOf = (subject: Subject, mode: Mode): Promise<Picture> =>
  mode === 'spectrum' ? spectraOf(subject) : mode === 'difference' && subject.other ? differenceOf(subject) : curvesOf(subject);
