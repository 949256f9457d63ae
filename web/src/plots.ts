// Plots of channels: one for each unit, one window of time and one cursor for all, which is the clock of the scene.
import type { ChartHost } from './chart';
import type { Clock } from './clock';
import { make } from './dom';
import { Plot } from './plot';
import type { Run } from './picture';
import { Series, type Window } from './series';
import type { Source } from './source';
import type { UnitSystem } from './units';

const mostCurves = 8; // in one plot
const lastMinute = 60; // s that are seen unasked of a run that grows
const growsEvery = 250; // ms

export class Plots implements ChartHost {
  readonly element = make('div', 'plots');
  readonly series: Series;
  dark = false;
  height = 170;
  seen = true;
  other?: Run;
  onLayout: () => void = () => {};
  private plots: Plot[] = [];
  private chosen?: Window;
  private span: number; // s up to the end, where no window is chosen
  private grown = 0;
  private next = 0;

  constructor(
    readonly source: Source,
    private readonly clock: Clock,
    public units: UnitSystem,
  ) {
    this.series = new Series(source);
    this.span = this.usual;
    clock.onChange(() => {
      for (const plot of this.plots) plot.moveCursor();
    });
    new ResizeObserver(() => {
      for (const plot of this.plots) plot.resize();
    }).observe(this.element);
  }

  compareWith(source: Source) {
    this.other = { source, series: new Series(source) };
    const shown = this.channels;
    for (const plot of this.plots) plot.destroy();
    this.plots = [];
    for (const channel of shown) this.add(channel);
  }

  get channels(): number[] {
    return this.plots.flatMap((plot) => plot.channels);
  }

  get time(): number {
    return this.clock.time;
  }
  goTo(time: number) {
    this.clock.time = time;
  }

  private get usual(): number {
    return this.clock.grows ? lastMinute : Infinity;
  }
  get all(): Window {
    const { rows, first, last } = this.source.meta;
    return rows > 0 ? { from: first, to: last } : { from: this.clock.first, to: this.clock.last };
  }
  get window(): Window {
    const { from, to } = this.all;
    return this.chosen ?? { from: Math.max(from, to - this.span), to: Math.max(to, from + 1e-6) };
  }
  get windowIsChosen(): boolean {
    return this.chosen !== undefined;
  }

  // None: what is seen unasked. One that reaches the end of a run that grows goes on with it.
  setWindow(window?: Window) {
    const all = this.all;
    const from = Math.max(window?.from ?? all.from, all.from);
    const to = Math.min(window?.to ?? all.to, all.to);
    this.chosen = undefined;
    this.span = this.usual;
    if (window && to - from > 1e-6) {
      if (from <= all.from && to >= all.to) this.span = Infinity;
      else if (this.clock.grows && to >= all.to) this.span = to - from;
      else this.chosen = { from, to };
    }
    this.refresh();
    this.onLayout();
  }

  // Into the plot that has its unit, or a new one.
  add(channel: number) {
    if (this.channels.includes(channel)) return;
    const { unit } = this.source.meta.channels[channel];
    let plot = this.plots.find((p) => p.unit === unit && p.channels.length < mostCurves);
    if (plot) plot.channels.push(channel);
    else {
      plot = new Plot(unit, [channel], this);
      this.plots.push(plot);
      this.element.append(plot.element);
    }
    void plot.refresh();
    this.onLayout();
  }

  remove(channel: number) {
    for (const plot of this.plots) {
      const i = plot.channels.indexOf(channel);
      if (i < 0) continue;
      plot.channels.splice(i, 1);
      if (plot.channels.length === 0) this.removePlot(plot);
      else void plot.refresh();
    }
    this.onLayout();
  }

  removePlot(plot: Plot) {
    this.plots = this.plots.filter((p) => p !== plot);
    plot.destroy();
    this.onLayout();
  }

  refresh() {
    for (const plot of this.plots) void plot.refresh();
  }

  // Of a run that grows: one plot with a picture of the scene, so that no picture waits for all of them.
  grow(now: number) {
    if (!this.seen || this.plots.length === 0 || this.chosen || now - this.grown < growsEvery / this.plots.length) return;
    this.grown = now;
    this.next = (this.next + 1) % this.plots.length;
    void this.plots[this.next].refresh();
  }
}
