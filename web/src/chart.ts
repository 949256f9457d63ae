// A picture on the screen. It is made anew where its curves are others, and else only gets other numbers.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { curveColours, curveColoursDark } from './colours';
import { make } from './dom';
import type { Picture } from './picture';
import { readable } from './units';

export interface ChartHost {
  readonly dark: boolean;
  readonly height: number;
  // Of pictures over time.
  readonly window: { from: number; to: number };
  readonly time: number;
  goTo(time: number): void;
  setWindow(window?: { from: number; to: number }): void;
}

export const palette = (dark: boolean) => (dark ? curveColoursDark : curveColours);
export const limitColour = '#d55e00';

export class Chart {
  private plot?: uPlot;
  private likeness = '';
  private picture?: Picture;
  private readonly now = make('div', 'cursor-now');

  constructor(
    private readonly box: HTMLElement,
    private readonly host: ChartHost,
  ) {}

  private get overTime() {
    return this.picture?.xName.startsWith('time') ?? false;
  }

  show(picture: Picture) {
    this.picture = picture;
    const data = [picture.x, ...picture.curves.map((curve) => curve.values)] as uPlot.AlignedData;
    const likeness = JSON.stringify([picture.xName, picture.joined, this.host.dark, picture.curves.map((c) => [c.label, c.colour, c.dashed])]);
    if (this.plot && likeness === this.likeness) this.plot.setData(data);
    else {
      this.plot?.destroy();
      this.plot = new uPlot(this.options(picture), data, this.box);
      this.plot.over.append(this.now);
      this.likeness = likeness;
    }
    this.moveCursor();
  }

  moveCursor() {
    if (!this.plot) return;
    const { from, to } = this.host.window;
    this.now.hidden = !this.overTime || this.host.time < from || this.host.time > to;
    if (this.now.hidden) return;
    // A plot of a run that grows may be a moment behind the clock.
    const x = Math.min(this.plot.valToPos(this.host.time, 'x'), this.plot.bbox.width / devicePixelRatio);
    this.now.style.transform = `translateX(${x}px)`;
  }

  resize() {
    this.plot?.setSize(this.size);
    this.moveCursor();
  }

  destroy() {
    this.plot?.destroy();
  }

  get size() {
    return { width: Math.max(this.box.clientWidth, 200), height: this.host.height };
  }

  private options(picture: Picture): uPlot.Options {
    const { host } = this;
    const style = getComputedStyle(document.documentElement);
    const stroke = style.getPropertyValue('--ink');
    const grid = { stroke: style.getPropertyValue('--grid'), width: 1 };
    const colours = palette(host.dark);
    return {
      ...this.size,
      legend: { show: false },
      cursor: this.overTime ? { sync: { key: 'davit', setSeries: false }, drag: { x: true, y: false, setScale: false } } : {},
      scales: { x: { time: false, ...(this.overTime ? { range: () => [host.window.from, host.window.to] } : {}) } },
      axes: [
        { stroke, grid, ticks: grid, size: 26 },
        { stroke, grid, ticks: grid, size: 58, values: (_u, list) => list.map((v) => readable(v)) },
      ],
      series: [
        {},
        ...picture.curves.map(({ label, colour, dashed }) => ({
          label,
          stroke: colours[colour % colours.length],
          width: dashed ? 1.2 : 1.4,
          dash: dashed ? [5, 4] : undefined,
          spanGaps: picture.joined,
          points: { show: false },
        })),
      ],
      hooks: { drawAxes: [(u) => this.drawLimits(u)], ...(this.overTime ? { setSelect: [(u) => this.zoom(u)], ready: [(u) => this.listen(u)] } : {}) },
    };
  }

  private drawLimits(u: uPlot) {
    const { left, top, width, height } = u.bbox;
    u.ctx.save();
    u.ctx.strokeStyle = u.ctx.fillStyle = limitColour;
    u.ctx.textAlign = 'left';
    u.ctx.font = `${11 * devicePixelRatio}px system-ui`;
    const free: { y: number; x: number }[] = []; // words side by side where lines are close
    const line = 13 * devicePixelRatio;
    for (const { at, text } of this.picture!.limits) {
      const y = u.valToPos(at, 'y', true);
      if (y < top || y > top + height) continue;
      u.ctx.setLineDash([6, 4]);
      u.ctx.beginPath();
      u.ctx.moveTo(left, y);
      u.ctx.lineTo(left + width, y);
      u.ctx.stroke();
      const high = y - top < 14 * devicePixelRatio;
      u.ctx.textBaseline = high ? 'top' : 'bottom';
      const beside = Math.max(left + 6, ...free.filter((taken) => Math.abs(taken.y - y) < line).map((taken) => taken.x));
      u.ctx.fillText(text, beside, high ? y + 2 : y - 2);
      free.push({ y, x: beside + u.ctx.measureText(text).width + line });
    }
    u.ctx.restore();
  }

  private zoom(u: uPlot) {
    if (u.select.width < 4) return;
    this.host.setWindow({ from: u.posToVal(u.select.left, 'x'), to: u.posToVal(u.select.left + u.select.width, 'x') });
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }

  // A click goes there, a drag zooms, a double click shows all.
  private listen(u: uPlot) {
    const { host } = this;
    let down = 0;
    u.over.addEventListener('mousedown', (event) => (down = event.clientX));
    u.over.addEventListener('mouseup', (event) => {
      if (Math.abs(event.clientX - down) < 4) host.goTo(u.posToVal(event.clientX - u.over.getBoundingClientRect().left, 'x'));
    });
    u.over.addEventListener('dblclick', () => host.setWindow());
    u.over.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        const at = u.posToVal(event.clientX - u.over.getBoundingClientRect().left, 'x');
        const factor = event.deltaY > 0 ? 1.25 : 0.8;
        host.setWindow({ from: at - (at - host.window.from) * factor, to: at + (host.window.to - at) * factor });
      },
      { passive: false },
    );
  }
}
