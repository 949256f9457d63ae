// One time for everything: what changes it tells all others.

export class Clock {
  private listeners: ((time: number) => void)[] = [];
  private now: number;
  playing = false;
  rate = 1;

  constructor(
    readonly first: number,
    readonly last: number,
  ) {
    this.now = first;
  }

  get time() {
    return this.now;
  }
  set time(t: number) {
    const next = Math.min(Math.max(t, this.first), this.last);
    if (next === this.now) return;
    this.now = next;
    for (const listener of this.listeners) listener(next);
  }

  onChange(listener: (time: number) => void) {
    this.listeners.push(listener);
  }

  // Goes on by so many seconds of the viewer's day; at the end it stops.
  advance(seconds: number) {
    if (!this.playing) return;
    this.time = this.now + this.rate * seconds;
    if (this.now >= this.last) this.playing = false;
  }

  toggle() {
    if (!this.playing && this.now >= this.last) this.time = this.first;
    this.playing = !this.playing;
  }
}
