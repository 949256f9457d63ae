// One time for everything: what changes it tells all others. A run that still grows has an end that moves on; the clock
// goes with it until somebody looks back.

const settles = 0.06; // s of the viewer's day in which it catches up with a moving end

export class Clock {
  private listeners: ((time: number) => void)[] = [];
  private now: number;
  private stretched = false;
  playing = false;
  following: boolean;
  rate = 1;

  constructor(
    public first: number,
    public last: number,
    readonly grows = false,
  ) {
    this.now = first;
    this.following = grows;
  }

  get time() {
    return this.now;
  }
  // Somebody goes there; at the end of a growing run it goes on with the end.
  set time(t: number) {
    this.following = this.grows && t >= this.last;
    this.go(t);
  }

  onChange(listener: (time: number) => void) {
    this.listeners.push(listener);
  }

  private tell() {
    this.stretched = false;
    for (const listener of this.listeners) listener(this.now);
  }

  private go(t: number) {
    const next = Math.min(Math.max(t, this.first), this.last);
    if (next === this.now) return;
    this.now = next;
    this.tell();
  }

  // There is more of the run, or less of its begin; told with the next picture.
  stretch(first: number, last: number) {
    this.first = first;
    this.last = last;
    this.stretched = true;
  }

  // A run that begins anew.
  restart(at: number) {
    this.stretch(at, at);
    this.now = at;
    this.follow();
  }

  follow() {
    this.playing = false;
    this.following = this.grows;
  }

  // Goes on by so many seconds of the viewer's day; at the end it stops, or follows it.
  advance(seconds: number) {
    if (this.following) {
      const gap = this.last - this.now;
      this.go(Math.abs(gap) < 1e-4 ? this.last : this.now + gap * Math.min(1, seconds / settles));
    } else if (this.playing) {
      this.go(this.now + this.rate * seconds);
      if (this.now >= this.last) this.follow();
    } else {
      this.go(this.now);
    }
    if (this.stretched) this.tell();
  }

  toggle() {
    if (!this.playing && this.now >= this.last) this.time = this.first;
    this.playing = !this.playing;
    if (this.playing) this.following = false;
  }
}
