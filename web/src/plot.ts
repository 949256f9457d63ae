// One plot: channels of one unit, what can be done with them, and their numbers.
import { Chart, palette } from './chart';
import { button, make } from './dom';
import { pictureOf, type Mode, type Picture } from './picture';
import { save, saveCsv, svgOf } from './picture_files';
import type { Plots } from './plots';
import { readable } from './units';

export class Plot {
  readonly element = make('section', 'plot');
  private readonly title = make('b', 'unit');
  private readonly body = make('div');
  private readonly table = make('table');
  private readonly chart: Chart;
  private mode: Mode = 'curves';
  private picture?: Picture;
  private nowTexts: (() => string)[] = [];
  private ticket = 0;

  constructor(
    readonly unit: string,
    readonly channels: number[],
    private readonly owner: Plots,
  ) {
    this.chart = new Chart(this.body, owner);
    const head = make('header');
    const modes: [Mode, string, string][] = [['spectrum', 'S(f)', 'spectral density of what is seen']];
    if (owner.other) modes.push(['difference', 'A − B', 'this run less the one that it is compared with, at the times of this one']);
    const toggles = modes.map(([mode, text, title]) => {
      const toggle = button(text, title, () => {
        this.mode = this.mode === mode ? 'curves' : mode;
        for (const [i, b] of toggles.entries()) b.setAttribute('aria-pressed', String(modes[i][0] === this.mode));
        void this.refresh();
      });
      return toggle;
    });
    head.append(
      this.title,
      ...toggles,
      button('CSV', 'save what is shown as comma-separated values, in SI', () => void saveCsv(owner.source, owner.series, this.channels, owner.window)),
      button('PNG', 'save the picture', () => this.body.querySelector('canvas')?.toBlob((blob) => blob && save('davit.png', blob))),
      button('SVG', 'save a drawing that scales', () => this.saveSvg()),
      button('✕', 'close this plot', () => this.owner.removePlot(this)),
    );
    this.element.append(head, this.body, this.table);
  }

  async refresh() {
    const ticket = ++this.ticket;
    const { source, series, window, units, other } = this.owner;
    const picture = await pictureOf({ unit: this.unit, channels: this.channels, window, units, run: { source, series }, other }, this.mode);
    if (ticket !== this.ticket) return; // something newer is on its way
    this.picture = picture;
    this.title.textContent = `[${picture.unit}]${this.mode === 'spectrum' ? ' over Hz' : this.mode === 'difference' ? ' A − B' : ''}`;
    this.chart.show(picture);
    if (picture.notes.length > 0) this.fillNotes(picture);
    else await this.fillStatistics(picture, ticket);
  }

  // The cells of each channel; they stay while the same is shown, so that a run that grows only changes their words.
  private cells(columns: string[]): HTMLElement[][] {
    const likeness = [this.owner.dark, ...this.channels, ...columns].join();
    if (likeness === this.tableLikeness) return this.tableCells;
    this.tableLikeness = likeness;
    const colours = palette(this.owner.dark);
    this.table.replaceChildren();
    const head = this.table.insertRow();
    if (columns.length > 2) for (const text of columns) head.append(make('th', '', text));
    this.tableCells = this.channels.map((channel, i) => {
      const { name, description } = this.owner.source.meta.channels[channel];
      const line = this.table.insertRow();
      const first = line.insertCell();
      const dot = make('i');
      dot.style.background = colours[i % colours.length];
      first.append(dot, name, button('✕', 'take this curve away', () => this.owner.remove(channel)));
      first.title = description;
      return columns.slice(1).map((column) => {
        const cell = line.insertCell();
        cell.className = column;
        return cell;
      });
    });
    return this.tableCells;
  }
  private tableLikeness = '';
  private tableCells: HTMLElement[][] = [];

  private fillNotes(picture: Picture) {
    this.nowTexts = [];
    this.cells(['', 'note']).forEach(([cell], i) => (cell.textContent = picture.notes[i]));
  }

  private async fillStatistics(picture: Picture, ticket: number) {
    const { owner } = this;
    const statistics = await Promise.all(this.channels.map((c) => owner.series.statistics(c, owner.window)));
    const samplers = await Promise.all(this.channels.map((c) => owner.series.sampler(c)));
    if (ticket !== this.ticket) return;
    const cells = this.cells(['', 'now', 'min', 'max', 'mean', 'std']);
    statistics.forEach(({ min, max, mean, deviation, exact }, i) => {
      [min, max, mean, deviation].forEach((v, k) => (cells[i][k + 1].textContent = readable(v * picture.scale)));
      cells[i][0].parentElement!.title = exact ? '' : 'of the least and the greatest of stretches of rows: zoom in for exact means';
    });
    this.nowTexts = samplers.map((sample) => () => readable(sample(owner.time) * picture.scale));
    this.moveCursor();
  }

  moveCursor() {
    this.chart.moveCursor();
    this.nowTexts.forEach((text, i) => (this.tableCells[i][0].textContent = text()));
  }

  resize() {
    this.chart.resize();
  }

  private saveSvg() {
    if (!this.picture) return;
    const svg = svgOf(this.picture, this.mode === 'spectrum' ? undefined : this.owner.window, 720, 300);
    save('davit.svg', new Blob([svg], { type: 'image/svg+xml' }));
  }

  destroy() {
    ++this.ticket;
    this.chart.destroy();
    this.element.remove();
  }
}
