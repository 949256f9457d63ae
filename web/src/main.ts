// The page: scene, plots and one clock.
import * as THREE from 'three';
import { Clock } from './clock';
import { cividisCss, slipsColour, sticksColour } from './colours';
import { button, checkbox, make, select } from './dom';
import { Frames } from './frames';
import { Plots } from './plots';
import { Search } from './search';
import { openOther, openSource, type Source } from './source';
import { Stage, views, type View } from './stage';
import './style.css';
import { markersOf, Timeline } from './timeline';
import { clockText, displayUnit, readable, type UnitSystem } from './units';

const rates = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 60];
const slowest = 12; // frames a second: below, it is drawn more simply
const mostMain = 6; // channels that are shown unasked

const help: [string, string][] = [
  ['space', 'play and stop'],
  ['← →', 'one frame back, forth'],
  ['shift ← →', 'one second'],
  ['home, end', 'begin, end'],
  [', .', 'slower, faster'],
  ['[ ]', 'marker before, after'],
  ['1 … 6', 'orbit, follow, ride, top, side, front'],
  ['f', 'forces'],
  ['t', 'trail'],
  ['u', 'engineering or SI units'],
  ['d', 'dark or light'],
  ['p', 'show or hide the plots'],
  ['/', 'search a channel'],
  ['?', 'this help'],
];

class Viewer {
  private readonly root: HTMLElement;
  private readonly clock: Clock;
  private readonly plots: Plots;
  private readonly timeline: Timeline;
  private readonly search: Search;
  private stage?: Stage;
  private units: UnitSystem;
  private dark = matchMedia('(prefers-color-scheme: dark)').matches;
  private readonly clockLabel = make('output', 'clock');
  private readonly playButton: HTMLButtonElement;
  private readonly rateSelect: HTMLSelectElement;
  private viewSelect?: HTMLSelectElement;
  private readonly hover = make('div', 'hover label');
  private readonly legend = make('div', 'legend');
  private readonly scaleBar = make('div', 'scalebar');
  private readonly helpBox = make('dialog', 'help');
  private readonly stageBox = make('div', 'stage');
  private readonly side = make('aside');
  private dirty = true;
  private playedAllTime = false;
  private drawn = { frames: 0, since: performance.now(), rate: 0 };

  constructor(
    private readonly source: Source,
    private readonly frames?: Frames,
    meshes?: { points: Float32Array; triangles: Uint32Array },
  ) {
    const { meta } = source;
    this.root = document.getElementById('davit')!;
    this.units = meta.scene?.units ?? 'engineering';
    const first = meta.rows > 0 ? meta.first : (frames?.times[0] ?? 0);
    const last = meta.rows > 0 ? meta.last : (frames?.times[frames.count - 1] ?? 1);
    this.clock = new Clock(first, last);
    this.plots = new Plots(source, this.clock, this.units);
    this.timeline = new Timeline(this.clock, markersOf(meta.events));
    this.search = new Search(meta.channels, (c) => this.plots.channels.includes(c), (c) => this.toggleChannel(c));
    this.playButton = button('▶', 'play (space)', () => this.play());
    this.rateSelect = select('rate of playing', rates.map((r) => [String(r), `${r}×`]), (value) => (this.clock.rate = Number(value)));
    this.rateSelect.value = '1';
    this.build();
    if (frames && meta.scene && meshes) this.makeStage(meshes);
    else this.stageBox.append(make('p', 'empty', 'This result has no scene: it was made with run.frames: 0, or before davit recorded any. Its curves are on the right.'));
    this.clock.onChange(() => {
      this.dirty = true;
      this.clockLabel.textContent = clockText(this.clock.time);
    });
    this.clockLabel.textContent = clockText(this.clock.time);
    this.setTheme(this.dark);
    this.restore();
    if (this.plots.channels.length === 0) this.showMain();
    this.plots.onLayout = () => this.remember();
    void this.markLimits();
    addEventListener('keydown', (event) => this.key(event));
    addEventListener('hashchange', () => this.restore());
    let before = performance.now();
    const tick = (now: number) => {
      this.clock.advance((now - before) / 1000);
      before = now;
      this.draw(now);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    setInterval(() => this.clock.playing || this.remember(), 1000);
  }

  private build() {
    const { meta } = this.source;
    const head = make('header', 'top');
    const title = make('h1', '', meta.title);
    title.title = `${meta.file} · ${meta.method}, step ${meta.step} s · ${meta.created} · davit ${meta.davit}`;
    const status = make('span', 'status ' + (meta.status === 'complete' ? 'good' : 'bad'), meta.status);
    head.append(title, status);
    if ((meta.stride ?? 1) > 1 || (meta.frame_stride ?? 1) > 1) {
      const frames = (meta.frame_stride ?? 1) > 1 ? ` and every ${meta.frame_stride}th frame` : '';
      head.append(make('span', 'note', `this page has the least and greatest of every ${meta.stride} rows${frames}`));
    }
    const tools = make('div', 'tools');
    tools.append(
      button('units', 'engineering or SI units (u)', () => this.setUnits(this.units === 'si' ? 'engineering' : 'si')),
      button('◐', 'light or dark (d)', () => this.setTheme(!this.dark)),
      button('plots', 'show or hide the plots (p)', () => this.togglePlots()),
      button('link', 'copy a link to this time, view and layout', () => void navigator.clipboard?.writeText(location.href)),
      button('?', 'keys (?)', () => this.helpBox.showModal()),
    );
    head.append(tools);
    const middle = make('main');
    this.side.append(this.search.element, this.plots.element);
    middle.append(this.stageBox, this.side);
    const foot = make('footer');
    foot.append(
      this.playButton,
      button('‹', 'one frame back (←)', () => this.step(-1)),
      button('›', 'one frame forth (→)', () => this.step(1)),
      this.rateSelect,
      this.timeline.element,
      this.clockLabel,
    );
    const table = make('table');
    for (const [keys, what] of help) {
      const row = table.insertRow();
      row.insertCell().append(make('kbd', '', keys));
      row.insertCell().textContent = what;
    }
    const notes = make('p', '', 'Drag in the scene to turn, with the right button to move, wheel to zoom. In plots: click to go there, drag to zoom, double click for all.');
    this.helpBox.append(make('h2', '', 'Keys'), table, notes, button('close', 'close', () => this.helpBox.close()));
    this.root.replaceChildren(head, middle, foot, this.helpBox);
  }

  private makeStage(meshes: { points: Float32Array; triangles: Uint32Array }) {
    const canvas = make('canvas');
    this.stageBox.append(canvas);
    try {
      this.stage = new Stage(canvas, this.source, meshes, this.frames!);
    } catch (error) {
      this.stageBox.append(make('p', 'empty', `The scene cannot be drawn: ${String(error)}. Is WebGL switched on in this browser?`));
      return;
    }
    const stage = this.stage;
    const scene = this.source.meta.scene!;
    this.viewSelect = select('view (1 … 6)', views.map((v) => [v, v]), (value) => this.setView(value as View));
    const follow = select('body that is followed and leaves a trail', scene.bodies.map((b, i) => [String(i), b.name]), (value) => {
      stage.followed = Number(value);
      if (stage.view === 'follow') stage.setView('follow');
      this.dirty = true;
    });
    follow.value = String(stage.followed);
    const points = scene.bodies.flatMap((b, i) => Object.keys(b.points ?? {}).map((p) => ({ body: i, point: p, name: `${b.name}.${p}` })));
    const tip = points.findIndex((p) => /tip|head|cab/.test(p.name));
    const ride = select('point that is ridden', points.map((p, i) => [String(i), p.name]), (value) => {
      stage.rideOn = points[Number(value)];
      this.setView('ride');
    });
    stage.rideOn = points[Math.max(tip, 0)];
    if (points.length > 0) ride.value = String(Math.max(tip, 0));
    const size = make('input');
    Object.assign(size, { type: 'range', min: '-1.5', max: '1.5', step: '0.05', value: '0', title: 'length of force arrows' });
    size.setAttribute('aria-label', 'length of force arrows');
    size.addEventListener('input', () => {
      stage.arrows.scale = 10 ** Number(size.value);
      this.dirty = true;
    });
    const forces = checkbox('forces', 'weights, ropes at their ends, reactions of joints (f)', false, (on) => this.setForces(on));
    const trail = checkbox('trail', 'where the followed body was in the last minute (t)', true, (on) => {
      stage.showTrail = on;
      this.dirty = true;
    });
    const sea = checkbox('sea', 'the surface of the sea', true, (on) => {
      if (stage.sea) stage.sea.mesh.visible = on;
      this.dirty = true;
    });
    const measure = select('what ropes are coloured by', [['tension', 'tension'], ['utilisation', 'of MBL']], (value) => {
      stage.ropes.measure = value as 'tension' | 'utilisation';
      this.drawLegend();
      this.dirty = true;
    });
    const bar = make('div', 'viewbar');
    bar.append(this.viewSelect, follow);
    if (points.length > 0) bar.append(ride);
    bar.append(forces, size, trail);
    if (stage.sea) bar.append(sea);
    if (stage.ropes.canShowUtilisation) bar.append(measure);
    this.hover.hidden = true;
    this.stageBox.append(bar, this.legend, this.scaleBar, this.hover);
    this.findLargestTension();
    let waiting = false;
    canvas.addEventListener('pointermove', (event) => {
      if (waiting || event.buttons) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        const box = canvas.getBoundingClientRect();
        const text = stage.describe((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
        this.hover.hidden = !text;
        if (!text) return;
        this.hover.textContent = text;
        this.hover.style.left = `${Math.min(event.clientX - box.left + 14, box.width - 240)}px`;
        this.hover.style.top = `${Math.min(event.clientY - box.top + 14, box.height - 70)}px`;
      });
    });
    canvas.addEventListener('pointerleave', () => (this.hover.hidden = true));
    for (const kind of ['pointermove', 'wheel', 'pointerdown']) canvas.addEventListener(kind, () => (this.dirty = true), { passive: true });
    new ResizeObserver(() => {
      stage.resize();
      this.dirty = true;
    }).observe(this.stageBox);
    stage.resize();
  }

  // A second run: a ghost in the scene, dashed in the plots.
  compareWith(other: Source, meshes?: { points: Float32Array; triangles: Uint32Array }, frames?: Frames) {
    const note = make('span', 'note', `beside it: ${other.meta.title}, ${other.meta.created}`);
    note.title = other.meta.file;
    this.root.querySelector('.status')?.after(note);
    this.plots.compareWith(other);
    if (!this.stage || !meshes || !frames) return;
    this.stage.addGhost(other, meshes, frames);
    this.stageBox.querySelector('.viewbar')?.append(
      checkbox('ghost', 'the result that it is compared with', true, (on) => {
        this.stage!.ghostGroup!.visible = on;
        this.dirty = true;
      }),
    );
    this.dirty = true;
  }

  // Of all ropes, over frames spread over the run.
  private async findLargestTension() {
    const stage = this.stage!;
    const count = this.frames!.count;
    let largest = 0;
    const looks = 40;
    for (let k = 0; k < looks; ++k) {
      const frame = await this.frames!.fetch(Math.floor((k * (count - 1)) / (looks - 1)));
      frame.lines.forEach((line) => {
        for (const t of line.tension) largest = Math.max(largest, t);
      });
      stage.ropes.largest = Math.max(largest, 1e-9);
      if (k % 8 === 0) this.dirty = true;
    }
    // Peaks between these frames are in the channels.
    this.source.meta.channels.forEach((channel, c) => {
      if (!/\.tension$/.test(channel.name) || channel.unit !== 'N') return;
      void this.plots.series.statistics(c, this.plots.all).then((s) => {
        stage.ropes.largest = Math.max(stage.ropes.largest, s.max || 0);
        this.drawLegend();
      });
    });
    let heaviest = 0;
    for (const body of this.source.meta.scene!.bodies)
      if (!body.shapes.some((shape) => shape.role === 'hull')) heaviest = Math.max(heaviest, (body.mass ?? 0) * this.source.meta.scene!.gravity);
    stage.arrows.fit(Math.max(largest, heaviest));
    this.drawLegend();
  }

  private drawLegend() {
    const stage = this.stage;
    if (!stage) return;
    this.dirty = true;
    this.legend.replaceChildren();
    if (this.source.meta.scene!.lines.length === 0) return;
    const strip = make('div', 'strip');
    strip.style.background = cividisCss;
    const ends = make('div', 'ends');
    const by = stage.ropes.measure;
    const unit = displayUnit('N', stage.ropes.largest, this.units);
    const top = by === 'tension' ? `${readable(stage.ropes.largest * unit.scale)} ${unit.name}` : '100 % of MBL';
    ends.append(make('span', '', '0'), make('span', '', by === 'tension' ? 'tension' : 'utilisation'), make('span', '', top));
    const contacts = make('div', 'contacts');
    for (const [colour, text] of [[sticksColour, 'sticks'], [slipsColour, 'slips'], ['#9a9a9a', 'slack']]) {
      const dot = make('i');
      dot.style.background = colour;
      contacts.append(dot, text);
    }
    this.legend.append(strip, ends, contacts);
  }

  private drawScaleBar() {
    const scale = this.stage?.scale;
    this.scaleBar.hidden = scale === undefined;
    if (scale === undefined) return;
    const wanted = 120 * scale;
    const power = 10 ** Math.floor(Math.log10(wanted));
    const length = wanted >= 5 * power ? 5 * power : wanted >= 2 * power ? 2 * power : power;
    this.scaleBar.style.width = `${length / scale}px`;
    this.scaleBar.textContent = `${readable(length)} m`;
  }

  private draw(now: number) {
    this.playButton.textContent = this.clock.playing ? '⏸' : '▶';
    if (!this.stage || !(this.dirty || this.clock.playing)) return;
    const ready = this.stage.show(this.clock.time);
    this.stage.render();
    this.drawScaleBar();
    if (ready) this.dirty = false;
    ++this.drawn.frames;
    if (now - this.drawn.since > 1000) {
      const rate = (1000 * this.drawn.frames) / (now - this.drawn.since);
      this.drawn = { frames: 0, since: now, rate };
      // Only while it plays all the time: else there was nothing to draw.
      if (this.clock.playing && this.playedAllTime && rate < slowest) this.stage.economise();
      this.playedAllTime = this.clock.playing;
    }
    if (!this.clock.playing) this.playedAllTime = false;
    // For tests, and for whoever wants to know.
    Object.assign(window, {
      davitState: { time: this.clock.time, rate: this.drawn.rate, pageTime: this.stage.pageTime, triangles: this.stage.renderer.info.render.triangles, ready },
    });
  }

  private play() {
    this.clock.toggle();
    this.dirty = true;
  }

  private step(by: number) {
    this.clock.playing = false;
    if (!this.frames || this.frames.count === 0) {
      this.clock.time += 0.1 * by;
      return;
    }
    const i = this.frames.indexAt(this.clock.time) + by;
    this.clock.time = this.frames.times[Math.min(Math.max(i, 0), this.frames.count - 1)];
  }

  private setView(view: View) {
    this.stage?.setView(view);
    if (this.viewSelect) this.viewSelect.value = view;
    this.dirty = true;
    this.remember();
  }

  private setForces(on: boolean) {
    const stage = this.stage;
    if (!stage) return;
    stage.arrows.group.visible = on;
    const box = this.stageBox.querySelector<HTMLInputElement>('.viewbar input[type=checkbox]');
    if (box) box.checked = on;
    this.dirty = true;
    if (!on || stage.arrows.reactions.length > 0) return;
    // Reactions of joints, where all three of their components were recorded.
    const { channels, scene } = this.source.meta;
    const index = new Map(channels.map((c, i) => [c.name, i]));
    scene!.bodies.forEach((body, b) => {
      const three = ['Fx', 'Fy', 'Fz'].map((f) => index.get(`${body.name}.reaction.${f}`));
      if (three.some((c) => c === undefined)) return;
      void Promise.all(three.map((c) => this.plots.series.sampler(c!))).then((samplers) => {
        stage.arrows.reactions.push({
          body: b,
          force: (time: number, to: THREE.Vector3) => {
            to.set(samplers[0](time), samplers[1](time), samplers[2](time));
            return true;
          },
        });
        this.dirty = true;
      });
    });
  }

  private setUnits(units: UnitSystem) {
    this.units = units;
    this.plots.units = units;
    if (this.stage) this.stage.units = units;
    this.plots.refresh();
    this.drawLegend();
    this.remember();
  }

  private setTheme(dark: boolean) {
    this.dark = dark;
    document.documentElement.classList.toggle('dark', dark);
    this.plots.dark = dark;
    this.stage?.setTheme(dark);
    this.plots.refresh();
    this.timeline.draw();
    this.dirty = true;
  }

  private togglePlots() {
    this.side.hidden = !this.side.hidden;
  }

  private toggleChannel(channel: number) {
    if (this.plots.channels.includes(channel)) this.plots.remove(channel);
    else this.plots.add(channel);
  }

  private showMain() {
    const { channels } = this.source.meta;
    const main = channels.map((c, i) => ({ c, i })).filter(({ c }) => c.main && !c.name.startsWith('energy.'));
    for (const { i } of (main.length > 0 ? main : channels.map((c, i) => ({ c, i }))).slice(0, mostMain)) this.plots.add(i);
  }

  // Where a limit with a bound in numbers was exceeded.
  private async markLimits() {
    const { channels, scene } = this.source.meta;
    for (const limit of scene?.limits ?? []) {
      const c = channels.findIndex((channel) => channel.name === limit.channel);
      if (c < 0) continue;
      const curve = await this.plots.series.curve(c, this.plots.all);
      let over = false;
      curve.values.forEach((v, i) => {
        const now = v !== null && (limit.side === 'above' ? v < limit.bound : v > limit.bound);
        if (now && !over) this.timeline.markers.push({ time: curve.times[i], kind: 'limit', text: `${limit.channel} beyond its limit` });
        over = now;
      });
    }
    this.timeline.draw();
  }

  private key(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    const act: Record<string, () => void> = {
      ' ': () => this.play(),
      ArrowLeft: () => (event.shiftKey ? (this.clock.time -= 1) : this.step(-1)),
      ArrowRight: () => (event.shiftKey ? (this.clock.time += 1) : this.step(1)),
      Home: () => (this.clock.time = this.clock.first),
      End: () => (this.clock.time = this.clock.last),
      ',': () => this.changeRate(-1),
      '.': () => this.changeRate(1),
      '[': () => this.jump(-1),
      ']': () => this.jump(1),
      f: () => this.setForces(!this.stage?.arrows.group.visible),
      t: () => {
        if (this.stage) this.stage.showTrail = !this.stage.showTrail;
        this.dirty = true;
      },
      u: () => this.setUnits(this.units === 'si' ? 'engineering' : 'si'),
      d: () => this.setTheme(!this.dark),
      p: () => this.togglePlots(),
      '/': () => this.search.input.focus(),
      '?': () => this.helpBox.showModal(),
    };
    const view = views[Number(event.key) - 1];
    if (view) this.setView(view);
    else if (act[event.key]) act[event.key]();
    else return;
    event.preventDefault();
  }

  private changeRate(by: number) {
    const i = Math.min(Math.max(rates.indexOf(this.clock.rate) + by, 0), rates.length - 1);
    this.clock.rate = rates[i];
    this.rateSelect.value = String(rates[i]);
  }

  private jump(by: number) {
    const times = this.timeline.markers.map((m) => m.time).sort((a, b) => a - b);
    const next = by > 0 ? times.find((t) => t > this.clock.time + 1e-6) : times.reverse().find((t) => t < this.clock.time - 1e-6);
    if (next !== undefined) this.clock.time = next;
  }

  // Time, view, curves and window are in the address, so that a link leads to what one sees.
  private remember() {
    if (this.root.classList.contains('small')) return; // its frame has no address of its own
    const { meta } = this.source;
    const state = new URLSearchParams();
    state.set('t', this.clock.time.toFixed(3));
    if (this.stage) {
      state.set('view', this.stage.view);
      state.set('camera', this.stage.cameraState());
    }
    state.set('units', this.units);
    const { from, to } = this.plots.window;
    if (this.plots.window !== this.plots.all) state.set('window', `${from.toFixed(3)},${to.toFixed(3)}`);
    state.set('channels', this.plots.channels.map((c) => meta.channels[c].name).join(','));
    history.replaceState(null, '', '#' + state.toString());
  }

  private restore() {
    const state = new URLSearchParams(location.hash.slice(1));
    const names = new Map(this.source.meta.channels.map((c, i) => [c.name, i]));
    for (const name of (state.get('channels') ?? '').split(',')) {
      const c = names.get(name);
      if (c !== undefined) this.plots.add(c);
    }
    const units = state.get('units');
    if (units === 'si' || units === 'engineering') this.setUnits(units);
    const time = Number(state.get('t') ?? NaN);
    if (Number.isFinite(time)) this.clock.time = time;
    const view = views.find((v) => v === state.get('view'));
    if (this.stage && view) this.setView(view);
    const camera = state.get('camera');
    if (this.stage && camera && (view === 'orbit' || view === 'follow')) this.stage.setCameraState(camera);
    const window = (state.get('window') ?? '').split(',').map(Number);
    if (window.length === 2 && window.every(Number.isFinite)) this.plots.setWindow({ from: window[0], to: window[1] });
    this.dirty = true;
  }
}

async function compare(viewer: Viewer) {
  const other = await openOther();
  const { meta } = other;
  if (!meta.scene || meta.frames === 0) {
    viewer.compareWith(other);
    return;
  }
  const [times, meshes] = await Promise.all([other.frameTimes(), other.meshes()]);
  viewer.compareWith(other, meshes, new Frames(other, times));
}

async function begin() {
  const source = await openSource();
  const { meta } = source;
  document.title = meta.title;
  let viewer: Viewer;
  if (meta.scene && meta.frames > 0) {
    const [times, meshes] = await Promise.all([source.frameTimes(), source.meshes()]);
    const frames = new Frames(source, times);
    await frames.fetch(0);
    viewer = new Viewer(source, frames, meshes);
  } else {
    viewer = new Viewer(source);
  }
  if (meta.compared) await compare(viewer);
}

begin().catch((error: unknown) => {
  const root = document.getElementById('davit');
  if (root) root.textContent = `This result cannot be shown: ${String(error)}`;
  throw error;
});
