// What levers are asked for, by whom, and what of it is told to the program: changes only, and not too often.
import type { Command } from './live_link';
import type { LeverMeta } from './source';

// Whoever comes first here has the lever while he asks for something.
const inputs = ['key', 'slider', 'pad'] as const;
export type Input = (typeof inputs)[number];

const shortest = 1000 / 30; // ms between two messages

// Set and not driven.
export const isSet = (lever: LeverMeta) => ['factor', 'angle', 'set', 'switch'].includes(lever.kind);

// Joins what happens between two messages: the last word of each lever counts.
class Outbox {
  private speed: Record<string, number> = {};
  private move: Record<string, number> = {};
  private sent = -Infinity;
  private timer = 0;

  constructor(private readonly send: (command: Command) => void) {}

  put(kind: 'speed' | 'move', name: string, value: number) {
    delete this.speed[name];
    delete this.move[name];
    this[kind][name] = value;
    if (!this.timer) this.timer = window.setTimeout(() => this.flush(), Math.max(0, this.sent + shortest - performance.now()));
  }

  clear() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.speed = {};
    this.move = {};
  }

  flush() {
    const command: Command = {};
    if (Object.keys(this.speed).length > 0) command.speed = this.speed;
    if (Object.keys(this.move).length > 0) command.move = this.move;
    this.clear();
    if (!command.speed && !command.move) return;
    this.sent = performance.now();
    this.send(command);
  }
}

interface Held {
  asked: Record<Input, number>; // share of the largest speed
  share: number; // that was told
  moving: boolean; // to a value that was typed
}

export class Levers {
  private readonly held: Held[];
  private readonly outbox: Outbox;
  // Everything was let go, whoever held it.
  onRelease: () => void = () => {};

  constructor(
    readonly metas: LeverMeta[],
    private readonly send: (command: Command) => void,
  ) {
    this.held = metas.map(() => ({ asked: { key: 0, slider: 0, pad: 0 }, share: 0, moving: false }));
    this.outbox = new Outbox(send);
  }

  share(lever: number): number {
    return this.held[lever].share;
  }

  ask(lever: number, input: Input, share: number) {
    const held = this.held[lever];
    held.asked[input] = Math.min(Math.max(share, -1), 1);
    const asking = inputs.find((i) => held.asked[i] !== 0);
    const next = asking ? held.asked[asking] : 0;
    if (next === held.share) return;
    held.share = next;
    held.moving = false;
    this.outbox.put('speed', this.metas[lever].name, next * this.metas[lever].speed);
  }

  move(lever: number, value: number) {
    const held = this.held[lever];
    held.asked = { key: 0, slider: 0, pad: 0 };
    held.share = 0;
    held.moving = true;
    this.outbox.put('move', this.metas[lever].name, value);
  }

  private letGo() {
    for (const held of this.held) Object.assign(held, { asked: { key: 0, slider: 0, pad: 0 }, share: 0, moving: false });
    this.outbox.clear();
    this.onRelease();
  }

  // Nobody is at the levers: what this page drives stands still. What phases drive goes on.
  release() {
    const driven = this.metas.filter((meta, i) => !isSet(meta) && (this.held[i].share !== 0 || this.held[i].moving));
    this.letGo();
    if (driven.length > 0) this.send({ speed: Object.fromEntries(driven.map(({ name }) => [name, 0])) });
  }

  stop() {
    this.letGo();
    this.send({ stop: true });
  }

  // The line was lost: the program knows nothing of what was asked.
  forget() {
    this.letGo();
  }
}
