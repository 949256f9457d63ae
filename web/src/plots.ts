// Plots of channels: one for each unit, one window of time and one cursor for all, which is the clock of the scene.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Clock } from './clock';
import { curveColours, curveColoursDark } from './colours';
import { Series, type Window } from './series';
import { spectrum } from './spectrum';
import type { Source } from './source';
import { displayUnit, readable, type DisplayUnit, type UnitSystem } from './units';

function save(name: string, blob: Blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 5000);
}

class Plot {
  readonly element = document.createElement('section');
  private readonly head = document.createElement('header');
  private readonly body = document.createElement('div');
  private readonly table = document.createElement('table');
  private plot?: uPlot;
  private shown: DisplayUnit = { name: '', scale: 1 };
  private ticket = 0;

  constructor(
    readonly unit: string,
    readonly channels: number[],
    private readonly owner: Plots,
  ) {
    this.element.className = 'plot';
    this.element.append(this.head, this.body, this.table);
    const button = (text: string, title: string, act: () => void) => {
      const b = document.createElement('button');
      b.textContent = text;
      b.title = title;
      b.addEventListener('click', act);
      return b;
    };
    const title = document.createElement('b');
    title.className = 'unit';
    this.head.append(
      title,
      button('S(f)', 'spectral density of what is seen', () => {
        this.spectral = !this.spectral;
        void this.refresh();
      }),
      button('CSV', 'save what is shown as comma-separated values, in SI', () => void this.saveCsv()),
      button('PNG', 'save the picture', () => this.savePng()),
      button('✕', 'close this plot', () => this.owner.removePlot(this)),
    );
  }

  async refresh() {
    const ticket = ++this.ticket;
    if (this.spectral) return this.drawSpectra(ticket);
    const { source, series, window } = this.owner;
    const curves = await Promise.all(this.channels.map((c) => series.curve(c, window)));
    if (ticket !== this.ticket) return; // something newer is on its way
    let largest = 0;
    for (const curve of curves) for (const v of curve.values) if (v !== null) largest = Math.max(largest, Math.abs(v));
    this.shown = displayUnit(this.unit, largest, this.owner.units);
    (this.head.firstChild as HTMLElement).textContent = this.shown.name ? `[${this.shown.name}]` : '[–]';
    const scaled = curves.map((curve) => curve.values.map((v) => (v === null ? null : v * this.shown.scale)));
    const others = await this.otherCurves();
    if (ticket !== this.ticket) return;
    const own = [curves[0].times, ...scaled] as uPlot.AlignedData;
    const data = others ? uPlot.join([own, others.map((list, i) => (i === 0 ? list : list.map((v) => (v === null ? null : v! * this.shown.scale)))) as uPlot.AlignedData]) : own;
    this.plot?.destroy();
    this.plot = new uPlot(this.options(source), data, this.body);
    await this.fillTable(ticket);
  }

  private spectral = false;
  private async drawSpectra(ticket: number) {
    const { source, series, window, units } = this.owner;
    const spectra = (await Promise.all(this.channels.map((c) => series.samples(c, window)))).map((s) => spectrum(s.times, s.values));
    if (ticket !== this.ticket) return;
    let largest = 0;
    for (const { densities } of spectra) for (const v of densities) largest = Math.max(largest, v);
    const shown = displayUnit(this.unit, Math.sqrt(largest), units);
    (this.head.firstChild as HTMLElement).textContent = `[(${shown.name || '1'})²/Hz] over Hz`;
    const tables = spectra.map((s) => [s.frequencies, s.densities.map((v) => v * shown.scale ** 2)] as uPlot.AlignedData);
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue('--ink');
    const grid = { stroke: style.getPropertyValue('--grid'), width: 1 };
    const colours = this.owner.dark ? curveColoursDark : curveColours;
    this.plot?.destroy();
    this.plot = new uPlot(
      {
        width: Math.max(this.element.clientWidth, 200),
        height: this.owner.height,
        legend: { show: false },
        scales: { x: { time: false } },
        axes: [
          { stroke: ink, grid, ticks: grid, size: 26 },
          { stroke: ink, grid, ticks: grid, size: 58, values: (_u, list) => list.map((v) => readable(v)) },
        ],
        series: [{}, ...this.channels.map((c, i) => ({ label: source.meta.channels[c].name, stroke: colours[i % colours.length], width: 1.4, spanGaps: true, points: { show: false } }))],
      },
      tables.length > 1 ? uPlot.join(tables) : tables[0],
      this.body,
    );
    this.table.replaceChildren();
    this.channels.forEach((c, i) => {
      const { frequencies, densities } = spectra[i];
      const peak = densities.indexOf(Math.max(...densities));
      const line = this.table.insertRow();
      const name = line.insertCell();
      const dot = document.createElement('i');
      dot.style.background = colours[i % colours.length];
      name.append(dot, source.meta.channels[c].name);
      line.insertCell().textContent = peak >= 0 ? `peak at ${readable(frequencies[peak])} Hz, ${readable(1 / frequencies[peak])} s` : 'too few rows';
    });
  }

  // Times and curves of the same names in the other result, on its own rows; nothing where there is none.
  private async otherCurves(): Promise<(number | null)[][] | undefined> {
    const { other, source, window } = this.owner;
    this.compared = [];
    if (!other) return undefined;
    const names = new Map(other.source.meta.channels.map((c, i) => [c.name, i]));
    const found: number[] = [];
    this.channels.forEach((c, i) => {
      const index = names.get(source.meta.channels[c].name);
      if (index === undefined) return;
      found.push(index);
      this.compared.push(i);
    });
    if (found.length === 0) return undefined;
    const curves = await Promise.all(found.map((c) => other.series.curve(c, window)));
    return [curves[0].times, ...curves.map((curve) => curve.values)];
  }
  private compared: number[] = [];

  private options(source: Source): uPlot.Options {
    const owner = this.owner;
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue('--ink');
    const grid = { stroke: style.getPropertyValue('--grid'), width: 1 };
    const colours = owner.dark ? curveColoursDark : curveColours;
    const limits = (source.meta.scene?.limits ?? []).filter((limit) => this.channels.some((c) => source.meta.channels[c].name === limit.channel));
    const drawLimits = (u: uPlot) => {
      for (const limit of limits) {
        const y = u.valToPos(limit.bound * this.shown.scale, 'y', true);
        if (y < u.bbox.top || y > u.bbox.top + u.bbox.height) continue;
        u.ctx.save();
        u.ctx.strokeStyle = u.ctx.fillStyle = '#d55e00';
        u.ctx.setLineDash([6, 4]);
        u.ctx.beginPath();
        u.ctx.moveTo(u.bbox.left, y);
        u.ctx.lineTo(u.bbox.left + u.bbox.width, y);
        u.ctx.stroke();
        u.ctx.textAlign = 'left';
        u.ctx.textBaseline = 'bottom';
        u.ctx.font = `${11 * devicePixelRatio}px system-ui`;
        u.ctx.fillText(`limit ${readable(limit.bound * this.shown.scale)} ${this.shown.name}`, u.bbox.left + 6, y - 2);
        u.ctx.restore();
      }
    };
    const drawNow = (u: uPlot) => {
      const x = u.valToPos(owner.clock.time, 'x', true);
      if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) return;
      u.ctx.save();
      u.ctx.strokeStyle = style.getPropertyValue('--accent');
      u.ctx.setLineDash([]);
      u.ctx.lineWidth = 2 * devicePixelRatio;
      u.ctx.beginPath();
      u.ctx.moveTo(x, u.bbox.top);
      u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
      u.ctx.stroke();
      u.ctx.restore();
    };
    const { from, to } = owner.window;
    return {
      width: Math.max(this.element.clientWidth, 200),
      height: owner.height,
      legend: { show: false },
      cursor: { sync: { key: 'davit', setSeries: false }, drag: { x: true, y: false, setScale: false } },
      scales: { x: { time: false, range: [from, to] } },
      axes: [
        { stroke: ink, grid, ticks: grid, size: 26 },
        { stroke: ink, grid, ticks: grid, size: 58, values: (_u, list) => list.map((v) => readable(v)) },
      ],
      series: [{}, ...this.channels.map((c, i) => ({ label: source.meta.channels[c].name, stroke: colours[i % colours.length], width: 1.4, spanGaps: this.compared.length > 0, points: { show: false } })),
        ...this.compared.map((i) => ({ label: 'other', stroke: colours[i % colours.length], width: 1.2, dash: [5, 4], spanGaps: true, points: { show: false } })),
      ],
      hooks: {
        drawAxes: [drawLimits],
        draw: [drawNow],
        setSelect: [
          (u) => {
            if (u.select.width < 4) return;
            owner.setWindow({ from: u.posToVal(u.select.left, 'x'), to: u.posToVal(u.select.left + u.select.width, 'x') });
          },
        ],
        ready: [
          (u) => {
            // A click goes there, a drag zooms, a double click shows all.
            let down = 0;
            u.over.addEventListener('mousedown', (event) => (down = event.clientX));
            u.over.addEventListener('mouseup', (event) => {
              if (Math.abs(event.clientX - down) < 4) owner.clock.time = u.posToVal(event.offsetX, 'x');
            });
            u.over.addEventListener('dblclick', () => owner.setWindow(owner.all));
            u.over.addEventListener(
              'wheel',
              (event) => {
                event.preventDefault();
                const at = u.posToVal(event.offsetX, 'x');
                const factor = event.deltaY > 0 ? 1.25 : 0.8;
                owner.setWindow({ from: at - (at - owner.window.from) * factor, to: at + (owner.window.to - at) * factor });
              },
              { passive: false },
            );
          },
        ],
      },
    };
  }

  private async fillTable(ticket: number) {
    const { series, source, window, clock } = this.owner;
    const statistics = await Promise.all(this.channels.map((c) => series.statistics(c, window)));
    const samplers = await Promise.all(this.channels.map((c) => series.sampler(c)));
    if (ticket !== this.ticket) return;
    const colours = this.owner.dark ? curveColoursDark : curveColours;
    this.table.replaceChildren();
    const row = this.table.insertRow();
    for (const text of ['', 'now', 'min', 'max', 'mean', 'std']) row.appendChild(document.createElement('th')).textContent = text;
    this.channels.forEach((c, i) => {
      const line = this.table.insertRow();
      const name = line.insertCell();
      const dot = document.createElement('i');
      dot.style.background = colours[i % colours.length];
      const remove = document.createElement('button');
      remove.textContent = '✕';
      remove.title = 'take this curve away';
      remove.addEventListener('click', () => this.owner.remove(c));
      name.append(dot, source.meta.channels[c].name, remove);
      name.title = source.meta.channels[c].description;
      const s = statistics[i];
      const now = line.insertCell();
      now.className = 'now';
      this.showNow.set(now, () => readable(samplers[i](clock.time) * this.shown.scale));
      now.textContent = this.showNow.get(now)!();
      for (const v of [s.min, s.max, s.mean, s.deviation]) line.insertCell().textContent = readable(v * this.shown.scale);
      if (!s.exact) line.title = 'of the least and the greatest of stretches of rows: zoom in for exact means';
    });
  }
  private showNow = new Map<HTMLElement, () => string>();

  moveCursor() {
    this.plot?.redraw(false, false);
    for (const [cell, text] of this.showNow) if (cell.isConnected) cell.textContent = text();
      else this.showNow.delete(cell);
  }

  resize() {
    this.plot?.setSize({ width: Math.max(this.element.clientWidth, 200), height: this.owner.height });
  }

  private async saveCsv() {
    const { series, source, window } = this.owner;
    const curves = await Promise.all(this.channels.map((c) => series.curve(c, window)));
    const names = this.channels.map((c) => `"${source.meta.channels[c].name} [${source.meta.channels[c].unit}]"`);
    const lines = [`"time [s]",${names.join(',')}`];
    curves[0].times.forEach((t, i) => {
      if (t >= window.from && t <= window.to) lines.push([t, ...curves.map((curve) => curve.values[i] ?? '')].join(','));
    });
    save('davit.csv', new Blob([lines.join('\n') + '\n'], { type: 'text/csv' }));
  }

  private savePng() {
    this.body.querySelector('canvas')?.toBlob((blob) => blob && save('davit.png', blob));
  }

  destroy() {
    ++this.ticket;
    this.plot?.destroy();
    this.element.remove();
  }
}

export class Plots {
  readonly element = document.createElement('div');
  readonly series: Series;
  readonly all: Window;
  window: Window;
  dark = false;
  height = 170;
  private plots: Plot[] = [];
  onLayout: () => void = () => {};
  other?: { source: Source; series: Series };

  constructor(
    readonly source: Source,
    readonly clock: Clock,
    public units: UnitSystem,
  ) {
    this.element.className = 'plots';
    this.series = new Series(source);
    this.all = { from: clock.first, to: clock.last };
    this.window = this.all;
    clock.onChange(() => {
      for (const plot of this.plots) plot.moveCursor();
    });
    new ResizeObserver(() => {
      for (const plot of this.plots) plot.resize();
    }).observe(this.element);
  }

  compareWith(source: Source) {
    this.other = { source, series: new Series(source) };
    this.refresh();
  }

  get channels(): number[] {
    return this.plots.flatMap((plot) => plot.channels);
  }

  // Into the plot that has its unit and group, or a new one.
  add(channel: number) {
    if (this.channels.includes(channel)) return;
    const { unit } = this.source.meta.channels[channel];
    let plot = this.plots.find((p) => p.unit === unit && p.channels.length < 8);
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

  setWindow(window: Window) {
    const from = Math.max(window.from, this.all.from);
    const to = Math.min(window.to, this.all.to);
    const whole = from <= this.all.from && to >= this.all.to;
    this.window = whole || to - from < 1e-6 ? this.all : { from, to };
    this.refresh();
    this.onLayout();
  }

  refresh() {
    for (const plot of this.plots) void plot.refresh();
  }
}
