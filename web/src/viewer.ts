// The page: scene, plots and one clock.
import { remember, restore } from './address';
import { ChannelTree } from './channel_tree';
import { Clock } from './clock';
import { button, make, select } from './dom';
import type { Frames } from './frames';
import { Keys, type Binding } from './keys';
import { Plots } from './plots';
import { ScenePanel } from './scene_panel';
import { Search } from './search';
import type { Meshes, RunEvent, Source } from './source';
import { views } from './stage';
import { limitMarkers, markersOf, Timeline } from './timeline';
import { clockText, type UnitSystem } from './units';

const rates = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 60];
const slowest = 12; // frames a second: below, it is drawn more simply
const mostMain = 6; // channels that are shown unasked

export class Viewer {
  readonly root: HTMLElement;
  readonly clock: Clock;
  readonly plots: Plots;
  readonly keys: Keys;
  readonly main = make('main');
  readonly stageBox = make('div', 'stage');
  readonly channels;
  readonly scene?: ScenePanel;
  units: UnitSystem;
  // Also called with every picture.
  readonly onTick: ((now: number) => void)[] = [];
  readonly onUnits: ((units: UnitSystem) => void)[] = [];
  // What space does, where it is not to play.
  pause?: () => void;
  private readonly timeline: Timeline;
  private readonly search: Search;
  private readonly tree: ChannelTree;
  private dark = matchMedia('(prefers-color-scheme: dark)').matches;
  private readonly clockLabel = make('output', 'clock');
  private readonly playButton: HTMLButtonElement;
  private readonly nowButton: HTMLButtonElement;
  private readonly rateSelect: HTMLSelectElement;
  private readonly side = make('aside');
  private playedAllTime = false;
  private drawn = { frames: 0, since: performance.now(), rate: 0 };

  constructor(
    private readonly source: Source,
    private readonly frames?: Frames,
    meshes?: Meshes,
  ) {
    const { meta } = source;
    this.channels = meta.channels;
    this.root = document.getElementById('davit')!;
    this.units = meta.scene?.units ?? 'engineering';
    this.clock = this.makeClock();
    this.plots = new Plots(source, this.clock, this.units);
    this.timeline = new Timeline(this.clock, markersOf(meta.events));
    const isShown = (c: number) => this.plots.channels.includes(c);
    this.search = new Search(meta.channels, isShown, (c) => this.toggleChannel(c));
    this.tree = new ChannelTree(meta.channels, isShown, (c) => this.toggleChannel(c));
    this.playButton = button('▶', this.clock.grows ? 'play what is behind' : 'play (space)', () => this.clock.toggle());
    this.nowButton = button('live', 'back to now (end)', () => this.clock.follow());
    this.rateSelect = select('rate of playing', rates.map((r) => [String(r), `${r}×`]), (value) => (this.clock.rate = Number(value)));
    this.rateSelect.value = '1';
    this.keys = new Keys(this.bindings(), this.clock.grows);
    this.build();
    this.scene = this.makeScene(meshes);
    this.clock.onChange(() => {
      if (this.scene) this.scene.dirty = true;
      this.clockLabel.textContent = clockText(this.clock.time);
    });
    this.clockLabel.textContent = clockText(this.clock.time);
    this.setTheme(this.dark);
    restore(this);
    if (this.plots.channels.length === 0) this.showMain();
    this.plots.onLayout = () => remember(this);
    addEventListener('hashchange', () => restore(this));
    if (source.growth) this.grow();
    else void limitMarkers(source, this.plots.series).then((markers) => this.timeline.add(...markers));
    this.run();
    setInterval(() => this.clock.playing || remember(this), 1000);
  }

  private makeClock(): Clock {
    const { rows, first, last } = this.source.meta;
    const { frames } = this;
    if (this.source.growth) return new Clock(first, last, true);
    if (rows > 0 || !frames) return new Clock(first, rows > 0 ? last : first + 1);
    return new Clock(frames.timeOf(0), frames.timeOf(frames.count - 1));
  }

  private makeScene(meshes?: Meshes): ScenePanel | undefined {
    if (!this.frames || !meshes) {
      this.stageBox.append(make('p', 'empty', 'This result has no scene: it was made with run.frames: 0, or before davit recorded any. Its curves are on the right.'));
      return undefined;
    }
    try {
      const scene = new ScenePanel(this.stageBox, this.source, this.plots.series, this.frames, meshes);
      scene.onView = () => remember(this);
      return scene;
    } catch (error) {
      this.stageBox.append(make('p', 'empty', `The scene cannot be drawn: ${String(error)}. Is WebGL switched on in this browser?`));
      return undefined;
    }
  }

  private build() {
    const { meta } = this.source;
    const head = make('header', 'top');
    const title = make('h1', '', meta.title);
    title.title = `${meta.file} · ${meta.method}, step ${meta.step} s · ${meta.created} · davit ${meta.davit}`;
    const status = make('span', 'status ' + (meta.status === 'complete' || meta.live ? 'good' : 'bad'), meta.status);
    head.append(title, status);
    if ((meta.stride ?? 1) > 1 || (meta.frame_stride ?? 1) > 1) {
      const frames = (meta.frame_stride ?? 1) > 1 ? ` and every ${meta.frame_stride}th frame` : '';
      head.append(make('span', 'note', `this page has the least and greatest of every ${meta.stride} rows${frames}`));
    }
    const letter = (key: string) => (this.clock.grows ? `shift ${key}` : key);
    const tools = make('div', 'tools');
    tools.append(
      button('units', `engineering or SI units (${letter('u')})`, () => this.toggleUnits()),
      button('◐', `light or dark (${letter('d')})`, () => this.setTheme(!this.dark)),
      button('plots', `show or hide the plots (${letter('p')})`, () => this.togglePlots()),
      button('link', 'copy a link to this time, view and layout', () => void navigator.clipboard?.writeText(location.href)),
      button('?', 'keys (?)', () => this.keys.help.showModal()),
    );
    head.append(tools);
    const choose = make('div', 'choose');
    choose.append(
      this.search.element,
      button('tree', `channels by what they belong to (${letter('c')})`, () => this.toggleTree()),
      button('diagnostics', 'energies and the power of what feeds or takes them; steps of the method and their iterations', () => this.toggleDiagnostics()),
    );
    this.side.append(choose, this.tree.element, this.plots.element);
    this.main.append(this.stageBox, this.side);
    const foot = make('footer');
    foot.append(
      this.playButton,
      button('‹', 'one frame back (←)', () => this.step(-1)),
      button('›', 'one frame forth (→)', () => this.step(1)),
      this.rateSelect,
      this.timeline.element,
      this.clockLabel,
    );
    if (this.clock.grows) foot.append(this.nowButton);
    this.root.replaceChildren(head, this.main, foot, this.keys.help);
  }

  private bindings(): Binding[] {
    const { clock } = this;
    return [
      { keys: [' '], shown: 'space', does: clock.grows ? 'pause and go on' : 'play and stop', act: () => (this.pause ? this.pause() : clock.toggle()) },
      { keys: ['ArrowLeft', 'ArrowRight'], shown: '← →', does: 'one frame back, forth; with shift one second', act: (event) => this.arrow(event) },
      { keys: ['Home'], shown: 'home', does: 'begin', act: () => (clock.time = clock.first) },
      { keys: ['End'], shown: 'end', does: clock.grows ? 'back to now' : 'end', act: () => (clock.time = clock.last) },
      { keys: [',', '.'], shown: ', .', does: 'play slower, faster', act: (event) => this.changeRate(event.key === ',' ? -1 : 1) },
      { keys: ['[', ']'], shown: '[ ]', does: 'marker before, after', act: (event) => this.jump(event.key === '[' ? -1 : 1) },
      { keys: views.map((_, i) => String(i + 1)), shown: `1 … ${views.length}`, does: views.join(', '), act: (event) => this.scene?.setView(views[Number(event.key) - 1]) },
      { keys: ['f'], shown: 'f', does: 'forces', act: () => this.scene?.toggleForces() },
      { keys: ['t'], shown: 't', does: 'trail', act: () => this.scene?.toggleTrail() },
      { keys: ['u'], shown: 'u', does: 'engineering or SI units', act: () => this.toggleUnits() },
      { keys: ['d'], shown: 'd', does: 'dark or light', act: () => this.setTheme(!this.dark) },
      { keys: ['p'], shown: 'p', does: 'show or hide the plots', act: () => this.togglePlots() },
      { keys: ['c'], shown: 'c', does: 'tree of channels', act: () => this.toggleTree() },
      { keys: ['/'], shown: '/', does: 'search a channel', act: () => this.search.input.focus() },
    ];
  }

  // A second run: a ghost in the scene, dashed in the plots.
  compareWith(other: Source, frames?: Frames, meshes?: Meshes) {
    const note = make('span', 'note', `beside it: ${other.meta.title}, ${other.meta.created}`);
    note.title = other.meta.file;
    this.root.querySelector('.status')?.after(note);
    this.plots.compareWith(other);
    if (meshes && frames) this.scene?.addGhost(other, meshes, frames);
  }

  // Follows a run that goes on.
  private grow() {
    const { growth, meta } = this.source;
    growth!.onMore((event?: RunEvent) => {
      if (event) this.timeline.add(...markersOf([event]));
      const { frames } = this;
      if (frames && frames.count > 0) {
        this.clock.stretch(frames.timeOf(0), frames.timeOf(frames.count - 1));
        const newest = frames.get(frames.count - 1);
        if (newest) this.scene?.see(newest);
      } else if (!frames && meta.rows > 0) this.clock.stretch(meta.first, meta.last);
    });
    growth!.onRestart((at) => {
      this.timeline.clear();
      this.clock.restart(at);
      this.plots.setWindow();
    });
    this.onTick.push((now) => {
      this.nowButton.setAttribute('aria-pressed', String(this.clock.following));
      this.plots.grow(now);
    });
  }

  private run() {
    let before = performance.now();
    const tick = (now: number) => {
      const begin = performance.now();
      this.clock.advance((now - before) / 1000);
      before = now;
      for (const act of this.onTick) act(now);
      this.draw(now, performance.now() - begin);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  private draw(now: number, spent: number) {
    const { clock, scene } = this;
    this.playButton.textContent = clock.playing ? '⏸' : '▶';
    if (!scene || !(scene.dirty || clock.playing)) return;
    const ready = scene.draw(clock.time);
    ++this.drawn.frames;
    if (now - this.drawn.since > 1000) {
      const rate = (1000 * this.drawn.frames) / (now - this.drawn.since);
      this.drawn = { frames: 0, since: now, rate };
      // Only while it moves all the time: else there was nothing to draw.
      const moves = clock.playing || clock.following;
      if (moves && this.playedAllTime && rate < slowest) scene.stage.economise();
      this.playedAllTime = moves;
    }
    if (!clock.playing && !clock.following) this.playedAllTime = false;
    // For tests, and for whoever wants to know.
    const { stage } = scene;
    const pageTime = spent + stage.pageTime;
    Object.assign(window, { davitState: { time: clock.time, rate: this.drawn.rate, pageTime, triangles: stage.renderer.info.render.triangles, ready } });
  }

  private arrow(event: KeyboardEvent) {
    const by = event.key === 'ArrowLeft' ? -1 : 1;
    if (event.shiftKey) this.clock.time += by;
    else this.step(by);
  }

  private step(by: number) {
    const { clock, frames } = this;
    clock.playing = false;
    if (!frames || frames.count === 0) clock.time += 0.1 * by;
    else clock.time = frames.timeOf(Math.min(Math.max(frames.indexAt(clock.time) + by, 0), frames.count - 1));
  }

  toggleUnits() {
    this.setUnits(this.units === 'si' ? 'engineering' : 'si');
  }

  setUnits(units: UnitSystem) {
    this.units = units;
    this.plots.units = units;
    this.scene?.setUnits(units);
    this.plots.refresh();
    for (const act of this.onUnits) act(units);
    remember(this);
  }

  private setTheme(dark: boolean) {
    this.dark = dark;
    document.documentElement.classList.toggle('dark', dark);
    this.plots.dark = dark;
    this.scene?.setTheme(dark);
    this.plots.refresh();
    this.timeline.restyle();
  }

  private togglePlots() {
    this.plots.seen = this.side.hidden === true;
    this.side.hidden = !this.plots.seen;
  }

  private toggleChannel(channel: number) {
    if (this.plots.channels.includes(channel)) this.plots.remove(channel);
    else this.plots.add(channel);
  }

  private toggleTree() {
    if (!this.plots.seen) this.togglePlots();
    this.tree.show(this.tree.element.hidden === true);
  }

  // All of them, or none where all are shown.
  private toggleDiagnostics() {
    const found = this.channels.flatMap(({ name }, c) => (/^(energy|solver)\./.test(name) ? [c] : []));
    const missing = found.filter((c) => !this.plots.channels.includes(c));
    for (const c of missing) this.plots.add(c);
    if (missing.length === 0) for (const c of found) this.plots.remove(c);
  }

  private showMain() {
    const main = this.channels.map((c, i) => ({ c, i })).filter(({ c }) => c.main && !c.name.startsWith('energy.'));
    for (const { i } of (main.length > 0 ? main : this.channels.map((c, i) => ({ c, i }))).slice(0, mostMain)) this.plots.add(i);
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
}
