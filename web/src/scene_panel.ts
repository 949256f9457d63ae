// The scene with what is chosen in it: views, forces, trail, sea; legend, scale and what is under the pointer.
import { weightOf } from './arrows';
import { cividisCss, slackColour, slipsColour, sticksColour } from './colours';
import { checkbox, make, select } from './dom';
import type { Frame, Frames } from './frames';
import { recordedForces } from './recorded_forces';
import type { Series } from './series';
import type { Meshes, Source } from './source';
import { Stage, views, type View } from './stage';
import { displayUnit, readable, type UnitSystem } from './units';
import { learnGivenOut } from './wheels';

const looks = 40; // frames, spread over a run, in which the largest tension is sought

export class ScenePanel {
  readonly stage: Stage;
  dirty = true;
  onView: () => void = () => {};
  private readonly canvas = make('canvas');
  private readonly bar = make('div', 'viewbar');
  private readonly viewSelect: HTMLSelectElement;
  private readonly forces: HTMLInputElement;
  private readonly hover = make('div', 'hover label');
  private readonly legend = make('div', 'legend');
  private readonly scaleBar = make('div', 'scalebar');

  constructor(
    private readonly box: HTMLElement,
    private readonly source: Source,
    private readonly series: Series,
    private readonly frames: Frames,
    meshes: Meshes,
  ) {
    box.append(this.canvas);
    this.stage = new Stage(this.canvas, source, meshes, frames);
    this.viewSelect = select(`view (1 … ${views.length})`, views.filter((v) => v !== 'cab' || this.stage.cab).map((v) => [v, v]), (value) => this.setView(value as View));
    const forces = checkbox('forces', 'weights, pulls of ropes, reactions of joints, contacts (f)', false, (on) => this.setForces(on));
    this.forces = forces.querySelector('input')!;
    this.bar.append(this.viewSelect, ...this.chooseBodies(), forces, this.chooseLength(), ...this.chooseParts());
    this.hover.hidden = true;
    box.append(this.bar, this.legend, this.scaleBar, this.hover);
    this.listen();
    void this.measureForces();
    void learnGivenOut(this.stage.wheels, source, series);
    source.growth?.onRestart(() => this.stage.wheels.restart());
  }

  private change(act: () => void) {
    act();
    this.dirty = true;
  }

  private chooseBodies(): HTMLElement[] {
    const { stage } = this;
    const { bodies } = this.source.meta.scene!;
    const follow = select('body that is followed and leaves a trail', bodies.map((b, i) => [String(i), b.name]), (value) =>
      this.change(() => {
        stage.followed = Number(value);
        if (stage.view === 'follow') stage.setView('follow');
      }),
    );
    follow.value = String(stage.followed);
    const points = bodies.flatMap((b, i) => Object.keys(b.points ?? {}).map((p) => ({ body: i, point: p, name: `${b.name}.${p}` })));
    if (points.length === 0) return [follow];
    const tip = Math.max(points.findIndex((p) => /tip|head/.test(p.name)), 0);
    const ride = select('point that is ridden', points.map((p, i) => [String(i), p.name]), (value) => {
      stage.rideOn = points[Number(value)];
      this.setView('ride');
    });
    stage.rideOn = points[tip];
    ride.value = String(tip);
    return [follow, ride];
  }

  private chooseLength(): HTMLElement {
    const size = make('input');
    Object.assign(size, { type: 'range', min: '-1.5', max: '1.5', step: '0.05', value: '0', title: 'length of force arrows' });
    size.setAttribute('aria-label', 'length of force arrows');
    size.addEventListener('input', () => this.change(() => (this.stage.arrows.scale = 10 ** Number(size.value))));
    return size;
  }

  private chooseParts(): HTMLElement[] {
    const { stage } = this;
    const parts: HTMLElement[] = [checkbox('trail', 'where the followed body was in the last minute (t)', true, (on) => this.change(() => (stage.showTrail = on)))];
    const { sea } = stage;
    if (sea) parts.push(checkbox('sea', 'the surface of the sea', true, (on) => this.change(() => (sea.mesh.visible = on))));
    if (stage.ropes.canShowUtilisation)
      parts.push(
        select('what ropes are coloured by', [['tension', 'tension'], ['utilisation', 'of MBL']], (value) => {
          stage.ropes.measure = value as 'tension' | 'utilisation';
          this.drawLegend();
        }),
      );
    return parts;
  }

  private listen() {
    const { canvas, stage, hover } = this;
    let waiting = false;
    canvas.addEventListener('pointermove', (event) => {
      if (waiting || event.buttons) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        const box = canvas.getBoundingClientRect();
        const text = stage.describe((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
        hover.hidden = !text;
        if (!text) return;
        hover.textContent = text;
        hover.style.left = `${Math.min(event.clientX - box.left + 14, box.width - 240)}px`;
        hover.style.top = `${Math.min(event.clientY - box.top + 14, box.height - 70)}px`;
      });
    });
    canvas.addEventListener('pointerleave', () => (hover.hidden = true));
    for (const kind of ['pointermove', 'wheel', 'pointerdown']) canvas.addEventListener(kind, () => (this.dirty = true), { passive: true });
    new ResizeObserver(() => this.change(() => stage.resize())).observe(this.box);
    stage.resize();
  }

  addGhost(other: Source, meshes: Meshes, frames: Frames) {
    this.stage.addGhost(other, meshes, frames);
    this.bar.append(checkbox('ghost', 'the result that it is compared with', true, (on) => this.change(() => (this.stage.ghostGroup!.visible = on))));
    this.dirty = true;
  }

  // Of all ropes over frames spread over the run, and of the heaviest thing: for colours and for arrows.
  private async measureForces() {
    const scene = this.source.meta.scene!;
    for (const body of scene.bodies) this.largestForce = Math.max(this.largestForce, weightOf(body, scene));
    for (let k = 0; k < looks && this.frames.count > 0; ++k) {
      const frame = await this.frames.fetch(Math.floor((k * (this.frames.count - 1)) / (looks - 1)));
      if (frame) this.see(frame);
    }
    // Peaks between these frames are in the channels.
    const { channels, first, last } = this.source.meta;
    channels.forEach((channel, c) => {
      if (!/\.tension$/.test(channel.name) || channel.unit !== 'N') return;
      void this.series.statistics(c, { from: first, to: last }).then((s) => this.seeTension(s.max));
    });
    this.stage.arrows.fit(this.largestForce);
    this.drawLegend();
  }
  private largestForce = 0;
  private largestTension = 1e-9;

  // A frame that came in.
  see(frame: Frame) {
    let largest = 0;
    for (const line of frame.lines) for (const t of line.tension) largest = Math.max(largest, t);
    this.seeTension(largest);
  }

  private seeTension(tension: number) {
    if (!(tension > this.largestTension)) return;
    this.largestTension = tension;
    this.stage.ropes.largest = tension;
    this.largestForce = Math.max(this.largestForce, tension);
    this.stage.arrows.fit(this.largestForce);
    this.drawLegend();
  }

  setView(view: View) {
    this.stage.setView(view);
    this.viewSelect.value = this.stage.view;
    this.dirty = true;
    this.onView();
  }

  toggleForces() {
    this.setForces(!this.stage.arrows.group.visible);
  }

  toggleTrail() {
    this.change(() => (this.stage.showTrail = !this.stage.showTrail));
  }

  private setForces(on: boolean) {
    const { arrows } = this.stage;
    arrows.group.visible = on;
    this.forces.checked = on;
    this.dirty = true;
    if (!on || this.forcesKnown) return;
    this.forcesKnown = true;
    void recordedForces(this.source, this.series).then((found) => this.change(() => (arrows.recorded = found)));
  }
  private forcesKnown = false;

  setUnits(units: UnitSystem) {
    this.stage.units = units;
    this.drawLegend();
  }

  setTheme(dark: boolean) {
    this.stage.setTheme(dark);
    this.dirty = true;
  }

  private drawLegend() {
    const { ropes, units } = this.stage;
    this.dirty = true;
    this.legend.replaceChildren();
    if (this.source.meta.scene!.lines.length === 0) return;
    const strip = make('div', 'strip');
    strip.style.background = cividisCss;
    const ends = make('div', 'ends');
    const unit = displayUnit('N', ropes.largest, units);
    const top = ropes.measure === 'tension' ? `${readable(ropes.largest * unit.scale)} ${unit.name}` : '100 % of MBL';
    ends.append(make('span', '', '0'), make('span', '', ropes.measure), make('span', '', top));
    const contacts = make('div', 'contacts');
    for (const [colour, text] of [[sticksColour, 'sticks'], [slipsColour, 'slips'], [slackColour, 'slack']]) {
      const dot = make('i');
      dot.style.background = colour;
      contacts.append(dot, text);
    }
    this.legend.append(strip, ends, contacts);
  }

  private drawScaleBar() {
    const { scale } = this.stage;
    this.scaleBar.hidden = scale === undefined;
    if (scale === undefined) return;
    const wanted = 120 * scale;
    const power = 10 ** Math.floor(Math.log10(wanted));
    const length = wanted >= 5 * power ? 5 * power : wanted >= 2 * power ? 2 * power : power;
    this.scaleBar.style.width = `${length / scale}px`;
    this.scaleBar.textContent = `${readable(length)} m`;
  }

  // False while the frame of this time is on its way.
  draw(time: number): boolean {
    const ready = this.stage.show(time);
    this.stage.render();
    this.drawScaleBar();
    if (ready) this.dirty = false;
    return ready;
  }
}
