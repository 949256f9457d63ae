// The levers on the page: those that are driven spring back, those that are set stay where they are put.
import { button, make } from './dom';
import { isTyping } from './keys';
import { isSet, type Levers } from './levers';
import type { LiveState } from './live_link';
import type { LeverMeta } from './source';
import { displayUnit, readable, withUnit, type DisplayUnit, type UnitSystem } from './units';

// One column of the keyboard for each: up and down.
const pairs: [plus: string, minus: string][] = ['qa', 'ws', 'ed', 'rf', 'tg', 'yh', 'uj', 'ik'].map((pair) => [pair[0], pair[1]]);
const steps = 100; // of a slider to each side

interface Row {
  release(): void;
  show(value: number, speed: number, target: number): void;
  setUnits(units: UnitSystem): void;
}

// A box for a value in the units that are shown; Enter takes it.
class ValueBox {
  readonly element = make('input', 'value-box');
  private unit: DisplayUnit = { name: '', scale: 1 };
  constructor(
    private readonly lever: LeverMeta,
    take: (value: number) => void,
  ) {
    const { element } = this;
    element.type = 'number';
    element.step = 'any';
    element.addEventListener('keydown', (event) => {
      event.stopPropagation();
      if (event.key === 'Escape') element.blur();
      if (event.key !== 'Enter' || element.value === '') return;
      const value = Number(element.value) / this.unit.scale;
      const inside = (lever.least === null || value >= lever.least - 1e-9) && (lever.most === null || value <= lever.most + 1e-9);
      element.setCustomValidity(inside ? '' : `${lever.name} goes from ${this.text(lever.least)} to ${this.text(lever.most)}`);
      if (!element.reportValidity()) return;
      take(value);
      element.value = '';
    });
    element.addEventListener('input', () => element.setCustomValidity(''));
  }
  private text(value: number | null): string {
    return value === null ? 'anything' : `${readable(value * this.unit.scale)} ${this.unit.name}`.trim();
  }
  setUnits(units: UnitSystem) {
    const { lever, element } = this;
    this.unit = displayUnit(lever.unit, 1, units);
    element.placeholder = this.unit.name || 'value';
    element.title = `go to this value${this.unit.name ? ` [${this.unit.name}]` : ''} (Enter)`;
    element.setAttribute('aria-label', `${lever.name}: go to this value`);
  }
}

function slider(title: string, least: number, most: number, step: number | 'any'): HTMLInputElement {
  const element = make('input');
  Object.assign(element, { type: 'range', min: String(least), max: String(most), step: String(step), value: '0', title });
  element.setAttribute('aria-label', title);
  return element;
}

class DrivenRow implements Row {
  readonly element = make('div', 'lever');
  private readonly value = make('output', 'value');
  private readonly speed = make('output', 'speed');
  private readonly slider: HTMLInputElement;
  private readonly latch: HTMLButtonElement;
  private readonly box: ValueBox;
  private latched = false;
  private units: UnitSystem = 'engineering';

  constructor(
    private readonly levers: Levers,
    private readonly index: number,
    keys?: [plus: string, minus: string],
  ) {
    const meta = levers.metas[index];
    this.slider = slider(`speed of ${meta.name}`, -steps, steps, 1);
    this.latch = button('latch', 'the slider stays where it is let go', () => this.setLatch(!this.latched));
    this.box = new ValueBox(meta, (value) => {
      this.slider.value = '0';
      levers.move(index, value);
    });
    const head = make('div', 'names');
    head.append(make('b', '', meta.name), this.value, this.speed);
    const line = make('div', 'line');
    if (keys) line.append(make('kbd', '', keys[1]), this.slider, make('kbd', '', keys[0]));
    else line.append(this.slider);
    line.append(this.latch, this.box.element);
    this.element.append(head, line);
    this.element.dataset.lever = meta.name;
    this.slider.addEventListener('input', () => levers.ask(index, 'slider', Number(this.slider.value) / steps));
    for (const end of ['pointerup', 'pointercancel']) this.slider.addEventListener(end, () => this.slider.blur());
    for (const end of ['keyup', 'blur']) this.slider.addEventListener(end, () => this.latched || this.spring());
    this.slider.addEventListener('dblclick', () => this.spring());
  }

  private spring() {
    this.slider.value = '0';
    this.levers.ask(this.index, 'slider', 0);
  }

  private setLatch(on: boolean) {
    this.latched = on;
    this.latch.setAttribute('aria-pressed', String(on));
    if (!on) this.spring();
  }

  release() {
    this.slider.value = '0';
  }

  // Keys and sticks move the slider along.
  follow() {
    if (document.activeElement !== this.slider) this.slider.value = String(Math.round(steps * this.levers.share(this.index)));
  }

  setUnits(units: UnitSystem) {
    this.units = units;
    this.box.setUnits(units);
    const { kind, unit, speed, acceleration, least, most } = this.levers.metas[this.index];
    const bounds = least === null && most === null ? '' : `, from ${least === null ? 'anywhere' : withUnit(least, unit, units)} to ${most === null ? 'anywhere' : withUnit(most, unit, units)}`;
    this.element.title = `${kind}${bounds}; at most ${withUnit(speed, `${unit}/s`, units)}, reached with ${withUnit(acceleration, `${unit}/s^2`, units)}`;
  }

  show(value: number, speed: number, target: number) {
    const { unit } = this.levers.metas[this.index];
    this.value.textContent = withUnit(value, unit, this.units);
    this.speed.textContent = withUnit(Math.abs(speed) < 1e-9 ? 0 : speed, `${unit}/s`, this.units);
    this.speed.title = `goes for ${withUnit(target, `${unit}/s`, this.units)}`;
    this.element.classList.toggle('moves', Math.abs(speed) > 1e-9);
  }
}

class SetRow implements Row {
  readonly element = make('div', 'lever set');
  private readonly value = make('output', 'value');
  private readonly slider: HTMLInputElement;
  private readonly box: ValueBox;
  private units: UnitSystem = 'engineering';
  private touched = false;

  constructor(
    levers: Levers,
    private readonly index: number,
    private readonly meta = levers.metas[index],
  ) {
    this.slider = slider(`set ${meta.name}`, meta.least ?? 0, meta.most ?? 2, 'any');
    this.slider.value = String(meta.value);
    this.box = new ValueBox(meta, (value) => {
      this.slider.value = String(value);
      levers.move(index, value);
    });
    const head = make('div', 'names');
    head.append(make('b', '', meta.name), this.value);
    const line = make('div', 'line');
    line.append(this.slider, this.box.element);
    this.element.append(head, line);
    this.element.dataset.lever = meta.name;
    this.slider.addEventListener('input', () => {
      this.touched = true;
      levers.move(this.index, Number(this.slider.value));
    });
  }

  release() {}

  setUnits(units: UnitSystem) {
    this.units = units;
    this.box.setUnits(units);
  }

  show(value: number) {
    const { unit, kind } = this.meta;
    this.value.textContent =
      kind === 'factor' ? `${readable(value)} × the file's` : `${withUnit(value, unit, this.units)}${kind === 'angle' ? " from the file's" : ''}`;
    // Until somebody puts it elsewhere the slider is where the value is.
    if (!this.touched) this.slider.value = String(value);
  }
}

// A rope that is let go and connected.
class SwitchRow implements Row {
  readonly element = make('label', 'lever switch');
  private readonly box = make('input');
  private readonly value = make('output', 'value');

  constructor(levers: Levers, index: number) {
    const { name, value } = levers.metas[index];
    this.box.type = 'checkbox';
    this.element.append(this.box, make('b', '', name), this.value);
    this.element.dataset.lever = name;
    this.box.addEventListener('change', () => levers.move(index, this.box.checked ? 1 : 0));
    this.show(value);
  }

  release() {}
  setUnits() {}

  show(value: number) {
    this.box.checked = value !== 0;
    this.value.textContent = value === 0 ? 'let go' : 'connected';
  }
}

export class LeverPanel {
  readonly element = make('fieldset', 'levers');
  readonly driven: number[] = [];
  readonly pairs: { keys: string; lever: string }[] = [];
  private readonly rows: (DrivenRow | SetRow | SwitchRow)[] = [];
  private readonly keyOf = new Map<string, { lever: number; share: number }>();
  private readonly pressed = new Map<string, { lever: number; share: number }>(); // by the place of the key, whatever shift does

  constructor(private readonly levers: Levers) {
    levers.metas.forEach((meta, i) => {
      if (isSet(meta)) {
        this.rows.push(meta.kind === 'switch' ? new SwitchRow(levers, i) : new SetRow(levers, i));
      } else {
        const pair = pairs[this.driven.length];
        this.driven.push(i);
        this.rows.push(new DrivenRow(levers, i, pair));
        if (pair) {
          this.keyOf.set(pair[0], { lever: i, share: 1 });
          this.keyOf.set(pair[1], { lever: i, share: -1 });
          this.pairs.push({ keys: pair.join(' '), lever: meta.name });
        }
      }
    });
    // What is driven is nearest at hand.
    for (const kind of [DrivenRow, SetRow, SwitchRow])
      for (const row of this.rows) if (row instanceof kind) this.element.append(row.element);
    addEventListener('keydown', (event) => this.press(event));
    addEventListener('keyup', (event) => this.lift(event));
  }

  private press(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.repeat || isTyping(event.target) || this.element.disabled || document.querySelector('dialog[open]')) return;
    const found = this.keyOf.get(event.key.toLowerCase());
    if (!found) return;
    this.pressed.set(event.code, found);
    this.levers.ask(found.lever, 'key', this.sumOf(found.lever));
    event.preventDefault();
  }

  private lift(event: KeyboardEvent) {
    const found = this.pressed.get(event.code);
    if (!found) return;
    this.pressed.delete(event.code);
    this.levers.ask(found.lever, 'key', this.sumOf(found.lever));
  }

  // Both keys of a pair are as good as none.
  private sumOf(lever: number): number {
    let sum = 0;
    for (const key of this.pressed.values()) if (key.lever === lever) sum += key.share;
    return sum;
  }

  release() {
    this.pressed.clear();
    for (const row of this.rows) row.release();
  }

  setUnits(units: UnitSystem) {
    for (const row of this.rows) row.setUnits(units);
  }

  show(state: LiveState) {
    this.rows.forEach((row, i) => {
      const now = state.levers[i];
      if (now) row.show(...now);
    });
  }

  // With every picture.
  follow() {
    for (const row of this.rows) if (row instanceof DrivenRow) row.follow();
  }
}
