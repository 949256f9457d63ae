// The scrub bar: all of the run, with phases, events and limits that were exceeded.
import type { Clock } from './clock';
import type { Series } from './series';
import type { RunEvent, Source } from './source';
import { clockText } from './units';

export interface Marker {
  time: number;
  kind: 'phase' | 'touch' | 'part' | 'bad' | 'limit' | 'other';
  text: string;
}

const mostMarkers = 4000;
const colours: Record<Marker['kind'], string> = {
  phase: '#0072b2',
  touch: '#009e73',
  part: '#e69f00',
  bad: '#d55e00',
  limit: '#d55e00',
  other: '#7f7f7f',
};

export function markersOf(events: RunEvent[]): Marker[] {
  return events.map((event) => {
    const kind =
      event.key === 'begins'
        ? 'phase'
        : event.key === 'touch'
          ? 'touch'
          : event.key === 'part' || event.key === 'limit'
            ? event.key
            : ['broken', 'stopped', 'fails', 'breaks', 'timeout'].includes(event.key)
              ? 'bad'
              : 'other';
    return { time: event.time, kind, text: `${event.element} ${event.key}${event.text ? ': ' + event.text : ''}` } as Marker;
  });
}

// Where a limit with a bound in numbers was exceeded.
export async function limitMarkers({ meta }: Source, series: Series): Promise<Marker[]> {
  const markers: Marker[] = [];
  for (const limit of meta.scene?.limits ?? []) {
    const c = meta.channels.findIndex((channel) => channel.name === limit.channel);
    if (c < 0) continue;
    const curve = await series.curve(c, { from: meta.first, to: meta.last });
    let over = false;
    curve.values.forEach((v, i) => {
      const now = v !== null && (limit.side === 'above' ? v < limit.bound : v > limit.bound);
      if (now && !over) markers.push({ time: curve.times[i], kind: 'limit', text: `${limit.channel} beyond its limit` });
      over = now;
    });
  }
  return markers;
}

export class Timeline {
  readonly element = document.createElement('div');
  private readonly canvas = document.createElement('canvas');
  private readonly label = document.createElement('div');
  markers: Marker[] = [];

  constructor(
    private readonly clock: Clock,
    markers: Marker[],
  ) {
    this.markers = markers;
    this.element.className = 'timeline';
    this.element.setAttribute('role', 'slider');
    this.element.setAttribute('aria-label', 'time');
    this.label.className = 'hover';
    this.label.hidden = true;
    this.element.append(this.canvas, this.label);
    const scrub = (event: PointerEvent) => {
      this.clock.time = this.timeAt(event.clientX);
    };
    this.canvas.addEventListener('pointerdown', (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      const near = this.near(event.clientX);
      if (near) this.clock.time = near.time;
      else scrub(event);
    });
    this.canvas.addEventListener('pointermove', (event) => {
      if (event.buttons & 1) scrub(event);
      const near = this.near(event.clientX);
      this.label.hidden = false;
      this.label.textContent = near ? `${clockText(near.time)} · ${near.text}` : clockText(this.timeAt(event.clientX));
      const box = this.canvas.getBoundingClientRect();
      const x = Math.min(Math.max(event.clientX - box.left, 60), box.width - 60);
      this.label.style.left = `${x}px`;
    });
    this.canvas.addEventListener('pointerleave', () => (this.label.hidden = true));
    clock.onChange(() => this.draw());
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  private x(time: number): number {
    return ((time - this.clock.first) / (this.clock.last - this.clock.first || 1)) * this.width;
  }
  private timeAt(clientX: number): number {
    const box = this.canvas.getBoundingClientRect();
    return this.clock.first + ((clientX - box.left) / box.width) * (this.clock.last - this.clock.first);
  }
  private near(clientX: number): Marker | undefined {
    const x = clientX - this.canvas.getBoundingClientRect().left;
    let best: Marker | undefined;
    for (const marker of this.markers)
      if (Math.abs(this.x(marker.time) - x) < 4 && (!best || Math.abs(this.x(marker.time) - x) < Math.abs(this.x(best.time) - x))) best = marker;
    return best;
  }

  add(...markers: Marker[]) {
    this.markers.push(...markers);
    if (this.markers.length > mostMarkers) this.markers.splice(0, this.markers.length - mostMarkers);
    this.draw();
  }

  clear() {
    this.markers = [];
    this.draw();
  }

  // Looked up when they change and not with every picture, which would cost more than drawing.
  restyle() {
    const style = getComputedStyle(this.element);
    this.paint = { track: style.getPropertyValue('--track'), accent: style.getPropertyValue('--accent'), ink: style.color };
    this.draw();
  }
  private paint = { track: '', accent: '', ink: '' };

  private resize() {
    this.width = this.element.clientWidth;
    this.height = this.element.clientHeight;
    this.canvas.width = this.width * window.devicePixelRatio;
    this.canvas.height = this.height * window.devicePixelRatio;
    this.restyle();
  }
  private width = 0;
  private height = 0;

  draw() {
    const { width: w, height: h, paint } = this;
    const c = this.canvas.getContext('2d')!;
    const ratio = window.devicePixelRatio;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, w, h);
    c.fillStyle = paint.track;
    c.fillRect(0, h / 2 - 4, w, 8);
    c.fillStyle = paint.accent;
    c.fillRect(0, h / 2 - 4, this.x(this.clock.time), 8);
    // The names of phases where there is room.
    c.font = '11px system-ui, sans-serif';
    let free = -1;
    for (const marker of this.markers) {
      const x = this.x(marker.time);
      c.fillStyle = colours[marker.kind];
      const tall = marker.kind === 'phase' || marker.kind === 'bad' || marker.kind === 'limit';
      c.fillRect(x - 1, tall ? 2 : h / 2 - 7, 2, tall ? h - 4 : 14);
      if (marker.kind === 'phase') {
        const name = marker.text.replace(/ begins$/, '');
        const wide = c.measureText(name).width;
        if (x + 4 > free && x + 4 + wide < w) {
          c.fillStyle = paint.ink;
          c.fillText(name, x + 4, 10);
          free = x + 10 + wide;
        }
      }
    }
    c.fillStyle = paint.ink;
    c.fillRect(this.x(this.clock.time) - 1.5, 0, 3, h);
    this.element.setAttribute('aria-valuenow', this.clock.time.toFixed(2));
    this.element.setAttribute('aria-valuetext', clockText(this.clock.time));
  }
}
