// Plots as files: comma-separated values, the picture as it is on the screen, and a drawing that scales.
import { limitColour, palette } from './chart';
import type { Picture } from './picture';
import type { Series, Window } from './series';
import type { Source } from './source';
import { readable } from './units';

export function save(name: string, blob: Blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 5000);
}

export async function saveCsv(source: Source, series: Series, channels: number[], window: Window) {
  const curves = await Promise.all(channels.map((c) => series.curve(c, window)));
  const names = channels.map((c) => `"${source.meta.channels[c].name} [${source.meta.channels[c].unit}]"`);
  const lines = [`"time [s]",${names.join(',')}`];
  curves[0].times.forEach((t, i) => {
    if (t >= window.from && t <= window.to) lines.push([t, ...curves.map((curve) => curve.values[i] ?? '')].join(','));
  });
  save('davit.csv', new Blob([lines.join('\n') + '\n'], { type: 'text/csv' }));
}

const escape = (text: string) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

// Round numbers from `low` to `high`, about so many.
export function rounds(low: number, high: number, about: number): number[] {
  const rough = (high - low) / about;
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= rough)!;
  const out: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) out.push(k * step);
  return out;
}

// Black on white, whatever the page looks like: it goes into documents.
export function svgOf(picture: Picture, window: Window | undefined, width: number, height: number): string {
  const box = { left: 62, top: 10, right: width - 12, bottom: height - 40 };
  const legend = picture.curves.length * 15;
  const from = window?.from ?? picture.x[0] ?? 0;
  const to = window?.to ?? picture.x.at(-1) ?? 1;
  let low = Infinity;
  let high = -Infinity;
  for (const { values } of picture.curves)
    values.forEach((v, i) => {
      if (v === null || picture.x[i] < from || picture.x[i] > to) return;
      low = Math.min(low, v);
      high = Math.max(high, v);
    });
  if (!(low < high)) [low, high] = Number.isFinite(low) ? [low - 1, high + 1] : [0, 1];
  const margin = 0.06 * (high - low);
  low -= margin;
  high += margin;
  const px = (x: number) => (box.left + ((x - from) / (to - from || 1)) * (box.right - box.left)).toFixed(2);
  const py = (y: number) => (box.bottom - ((y - low) / (high - low)) * (box.bottom - box.top)).toFixed(2);
  const text = (x: number | string, y: number | string, words: string, more = '') => `<text x="${x}" y="${y}" ${more}>${escape(words)}</text>`;
  const out = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height + legend}" viewBox="0 0 ${width} ${height + legend}" font-family="sans-serif" font-size="11">`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    `<clipPath id="inside"><rect x="${box.left}" y="${box.top}" width="${box.right - box.left}" height="${box.bottom - box.top}"/></clipPath>`,
  ];
  for (const x of rounds(from, to, 6))
    out.push(`<path d="M${px(x)} ${box.top}V${box.bottom}" stroke="#ddd"/>`, text(px(x), box.bottom + 14, readable(x), 'text-anchor="middle"'));
  for (const y of rounds(low, high, 5))
    out.push(`<path d="M${box.left} ${py(y)}H${box.right}" stroke="#ddd"/>`, text(box.left - 5, Number(py(y)) + 4, readable(y), 'text-anchor="end"'));
  out.push(`<path d="M${box.left} ${box.top}V${box.bottom}H${box.right}" fill="none" stroke="#000"/>`);
  out.push(text((box.left + box.right) / 2, box.bottom + 30, picture.xName, 'text-anchor="middle"'));
  out.push(text(14, (box.top + box.bottom) / 2, `[${picture.unit}]`, `text-anchor="middle" transform="rotate(-90 14 ${(box.top + box.bottom) / 2})"`));
  for (const { at, text: words } of picture.limits) {
    if (at < low || at > high) continue;
    out.push(`<path d="M${box.left} ${py(at)}H${box.right}" stroke="${limitColour}" stroke-dasharray="6 4"/>`, text(box.left + 6, Number(py(at)) - 3, words, `fill="${limitColour}"`));
  }
  const colours = palette(false);
  picture.curves.forEach(({ values, colour, dashed, label }, k) => {
    const style = `fill="none" stroke="${colours[colour % colours.length]}" stroke-width="1.3"${dashed ? ' stroke-dasharray="5 4"' : ''}`;
    let path = '';
    let pen = 'M';
    values.forEach((v, i) => {
      if (v === null) {
        if (!picture.joined) pen = 'M';
        return;
      }
      path += `${pen}${px(picture.x[i])} ${py(v)}`;
      pen = 'L';
    });
    const y = height + 15 * k;
    out.push(`<path d="${path}" clip-path="url(#inside)" stroke-linejoin="round" ${style}/>`, `<path d="M${box.left} ${y}h24" ${style}/>`, text(box.left + 30, y + 4, label));
  });
  return out.join('\n') + '\n</svg>\n';
}
