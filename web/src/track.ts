// A value over time that changes now and then: only changes are kept.

const most = 20000;

export class Track {
  private points: [time: number, value: number][] = [];

  constructor(private readonly before: number) {}

  add(time: number, value: number) {
    const last = this.points.at(-1);
    if (last && time <= last[0]) return;
    // Of a value that stays the begin and the end are enough.
    const earlier = this.points.at(-2);
    if (last && earlier && last[1] === value && earlier[1] === value) last[0] = time;
    else this.points.push([time, value]);
    if (this.points.length > most) this.points.splice(0, most / 10);
  }

  clear() {
    this.points = [];
  }

  at(time: number): number {
    let low = 0;
    let high = this.points.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.points[middle][0] <= time) low = middle + 1;
      else high = middle;
    }
    const a = this.points[low - 1];
    const b = this.points[low];
    if (!a) return b?.[1] ?? this.before;
    return b ? a[1] + ((time - a[0]) / (b[0] - a[0])) * (b[1] - a[1]) : a[1];
  }
}
