// Sticks of a gamepad as levers. Which axis moves which lever is remembered by the lever's name.
import { make, select } from './dom';
import type { Levers } from './levers';

const deadZone = 0.12;
const stopButton = 1; // B, or the circle
const pauseButton = 9; // start
const remembered = 'davit.gamepad';
// Up and right are positive: sticks give −1 where they are pushed up.
const usual = ['-1', '+0', '-3', '+2'];
const axes: [string, string][] = [
  ['', 'none'],
  ['-1', 'left stick ↕'],
  ['+0', 'left stick ↔'],
  ['-3', 'right stick ↕'],
  ['+2', 'right stick ↔'],
  ['+1', 'left stick ↕ reversed'],
  ['-0', 'left stick ↔ reversed'],
  ['+3', 'right stick ↕ reversed'],
  ['-2', 'right stick ↔ reversed'],
  ...[4, 5, 6, 7].flatMap((n): [string, string][] => [
    [`+${n}`, `axis ${n}`],
    [`-${n}`, `axis ${n} reversed`],
  ]),
];

export function shareOf(axis: number): number {
  const size = Math.abs(axis);
  return size <= deadZone || !Number.isFinite(axis) ? 0 : (Math.sign(axis) * (Math.min(size, 1) - deadZone)) / (1 - deadZone);
}

function recall(): Record<string, string> {
  try {
    return (JSON.parse(localStorage.getItem(remembered) ?? '{}') ?? {}) as Record<string, string>;
  } catch {
    return {};
  }
}

export class GamepadInput {
  readonly element = make('details', 'gamepad');
  private readonly found = make('summary', '', 'gamepad: none');
  private readonly chosen: string[];
  private readonly centred: boolean[]; // since levers were let go: a stick that is held takes none
  private pressed = new Map<number, boolean>();

  constructor(
    private readonly levers: Levers,
    private readonly driven: number[],
    private readonly act: { pause(): void; stop(): void },
  ) {
    const kept = recall();
    const { metas } = levers;
    this.chosen = driven.map((lever, i) => kept[metas[lever].name] ?? usual[i] ?? '');
    this.centred = driven.map(() => false);
    this.element.append(this.found);
    driven.forEach((lever, i) => {
      const row = make('label', '', metas[lever].name);
      const choice = select(`axis that moves ${metas[lever].name}`, axes, (value) => this.choose(i, value));
      choice.value = this.chosen[i];
      row.append(choice);
      this.element.append(row);
    });
    this.element.append(make('p', 'soft', 'Start pauses, B stops all. A stick must be let go once before it takes its lever.'));
  }

  private choose(i: number, value: string) {
    this.levers.ask(this.driven[i], 'pad', 0);
    this.chosen[i] = value;
    this.centred[i] = false;
    const all = Object.fromEntries(this.driven.map((lever, k) => [this.levers.metas[lever].name, this.chosen[k]]));
    try {
      localStorage.setItem(remembered, JSON.stringify({ ...recall(), ...all }));
    } catch {
      this.found.title = 'the choice is not remembered: this browser keeps nothing for the page';
    }
  }

  release() {
    this.centred.fill(false);
  }

  private once(pad: Gamepad, number: number): boolean {
    const now = pad.buttons[number]?.pressed ?? false;
    const begins = now && !this.pressed.get(number);
    this.pressed.set(number, now);
    return begins;
  }

  // With every picture: browsers tell of no change.
  look() {
    const pad = navigator.getGamepads?.().find((p) => p?.connected);
    const text = pad ? `gamepad: ${pad.id}` : 'gamepad: none';
    if (this.found.textContent !== text) this.found.textContent = text;
    if (!pad) {
      this.driven.forEach((lever) => this.levers.ask(lever, 'pad', 0));
      this.release();
      return;
    }
    if (this.once(pad, pauseButton)) this.act.pause();
    if (this.once(pad, stopButton)) this.act.stop();
    this.driven.forEach((lever, i) => {
      const choice = this.chosen[i];
      if (choice === '') return;
      const share = (choice[0] === '-' ? -1 : 1) * shareOf(pad.axes[Number(choice.slice(1))] ?? 0);
      if (share === 0) this.centred[i] = true;
      // In hundredths: a hand that trembles sends nothing.
      this.levers.ask(lever, 'pad', this.centred[i] ? Math.round(100 * share) / 100 : 0);
    });
  }
}
