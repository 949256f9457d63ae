// The one-sided spectral density of what is seen of a curve: Welch's method, Hann windows that overlap by half.

export interface Spectrum {
  frequencies: number[]; // Hz
  densities: number[]; // unit² / Hz
}

// In place, of a power of two.
function transform(re: Float64Array, im: Float64Array) {
  const n = re.length;
  for (let i = 1, j = 0; i < n; ++i) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j], re[i]];
      [im[i], im[j]] = [im[j], im[i]];
    }
  }
  for (let size = 2; size <= n; size <<= 1) {
    const angle = (-2 * Math.PI) / size;
    for (let k = 0; k < size / 2; ++k) {
      const c = Math.cos(angle * k);
      const s = Math.sin(angle * k);
      for (let a = k; a < n; a += size) {
        const b = a + size / 2;
        const x = re[b] * c - im[b] * s;
        const y = re[b] * s + im[b] * c;
        re[b] = re[a] - x;
        im[b] = im[a] - y;
        re[a] += x;
        im[a] += y;
      }
    }
  }
}

// On even times, because adaptive steps are not even.
function evenly(times: ArrayLike<number>, values: ArrayLike<number>, count: number): Float64Array {
  const out = new Float64Array(count);
  const first = times[0];
  const step = (times[times.length - 1] - first) / (count - 1);
  let i = 0;
  for (let k = 0; k < count; ++k) {
    const t = first + k * step;
    while (i + 2 < times.length && times[i + 1] < t) ++i;
    const s = (t - times[i]) / (times[i + 1] - times[i]);
    out[k] = values[i] + Math.min(Math.max(s, 0), 1) * (values[i + 1] - values[i]);
  }
  return out;
}

export function spectrum(times: ArrayLike<number>, values: ArrayLike<number>): Spectrum {
  const count = times.length;
  if (count < 32) return { frequencies: [], densities: [] };
  const duration = times[count - 1] - times[0];
  const even = evenly(times, values, count);
  const step = duration / (count - 1);
  // About eight pieces, so that the curve can be read.
  const size = 2 ** Math.max(5, Math.floor(Math.log2((2 * count) / 8)));
  const mean = even.reduce((a, b) => a + b, 0) / count;
  const densities = new Float64Array(size / 2);
  const hann = Float64Array.from({ length: size }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size));
  const power = hann.reduce((a, w) => a + w * w, 0);
  let pieces = 0;
  for (let begin = 0; begin + size <= count; begin += size / 2) {
    const re = new Float64Array(size);
    const im = new Float64Array(size);
    for (let i = 0; i < size; ++i) re[i] = (even[begin + i] - mean) * hann[i];
    transform(re, im);
    for (let k = 0; k < size / 2; ++k) densities[k] += (2 * step * (re[k] ** 2 + im[k] ** 2)) / power;
    ++pieces;
  }
  if (pieces === 0) return { frequencies: [], densities: [] };
  const width = 1 / (size * step);
  // Up to where all but a thousandth of it is.
  let all = 0;
  for (let k = 1; k < size / 2; ++k) all += densities[k];
  let sum = 0;
  let last = 1;
  while (last < size / 2 - 1 && sum < 0.999 * all) sum += densities[last++];
  const frequencies: number[] = [];
  const shown: number[] = [];
  for (let k = 1; k <= last; ++k) {
    frequencies.push(k * width);
    shown.push(densities[k] / pieces);
  }
  return { frequencies, densities: shown };
}
