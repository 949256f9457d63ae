// Where a rope runs over wheels, and what it does to what it runs over; from the pieces that a frame has of it. Ropes have
// no mass here, so a place feels the pulls of the pieces that meet there.
import { flagGap, type Line } from './frames';

type Place = { x: number; y: number; z: number };

const near = 0.02; // of a radius: how far from a wheel's rim a vertex on it may be

export interface Touch {
  first: number; // vertices
  last: number;
}

// Where most of the rope lies on its rim: wheels that stand beside each other share a place of their rims.
export function onWheel(line: Line, centre: Place, radius: number): Touch | undefined {
  let best: Touch | undefined;
  let bestLength = -1;
  let touch: Touch | undefined;
  const end = () => {
    if (!touch) return;
    const length = lengthUpTo(line, touch.last) - lengthUpTo(line, touch.first);
    if (length > bestLength) {
      best = touch;
      bestLength = length;
    }
    touch = undefined;
  };
  for (let i = 0; i < line.tension.length; ++i) {
    const far = Math.hypot(line.at[3 * i] - centre.x, line.at[3 * i + 1] - centre.y, line.at[3 * i + 2] - centre.z);
    if (Math.abs(far - radius) > near * radius) end();
    else if (touch) touch.last = i;
    else touch = { first: i, last: i };
  }
  end();
  return best;
}

// Of the rope before a vertex, as it lies.
export function lengthUpTo(line: Line, vertex: number): number {
  let sum = 0;
  for (let i = 0; i < vertex; ++i) {
    if (line.flags[i] & flagGap) continue;
    const k = 3 * i;
    sum += Math.hypot(line.at[k + 3] - line.at[k], line.at[k + 4] - line.at[k + 1], line.at[k + 5] - line.at[k + 2]);
  }
  return sum;
}

// Of the rope on what holds it from one vertex to another: the pulls of the piece before and of the piece after.
export function forceOver(line: Line, { first, last }: Touch, to: Place): void {
  to.x = to.y = to.z = 0;
  const pull = (at: number, towards: number, piece: number) => {
    if (towards < 0 || towards >= line.tension.length || line.flags[piece] & flagGap) return;
    const d = [0, 1, 2].map((k) => line.at[3 * towards + k] - line.at[3 * at + k]);
    const length = Math.hypot(...d) || 1;
    const share = line.tension[piece] / length;
    to.x += share * d[0];
    to.y += share * d[1];
    to.z += share * d[2];
  };
  pull(first, first - 1, first - 1);
  pull(last, last + 1, last);
}
