// The spectrum of known series: its area is the variance, its peak is where the sine is.
import assert from 'node:assert/strict';
import { createServer } from 'vite';

const server = await createServer({ server: { middlewareMode: true }, appType: 'custom', logLevel: 'error' });
const { spectrum } = await server.ssrLoadModule('/src/spectrum.ts');
const count = 20000;
const step = 0.05;
const times = Float64Array.from({ length: count }, (_, i) => i * step);
const sine = times.map((t) => 3 + 2 * Math.sin(2 * Math.PI * 0.125 * t));
const area = ({ frequencies, densities }) => densities.reduce((a, v) => a + v, 0) * (frequencies[1] - frequencies[0]);
const s = spectrum(times, sine);
assert.ok(Math.abs(area(s) - 2) < 0.02, `variance ${area(s)} and not 2`);
assert.ok(Math.abs(s.frequencies[s.densities.indexOf(Math.max(...s.densities))] - 0.125) < s.frequencies[0]);
// Noise of one variance that is the same every time: flat up to half the rate of samples.
let seed = 1;
const noise = times.map(() => {
  seed = (1103515245 * seed + 12345) % 2147483648;
  return seed / 2147483648 - 0.5;
});
const n = spectrum(times, noise);
assert.ok(Math.abs(area(n) * 12 - 1) < 0.05, `variance ${area(n)} and not 1/12`);
assert.deepEqual(spectrum([0, 1], [0, 1]).frequencies, []);
await server.close();
console.log('spectra have the variance of their series');
