#include "davit/html/page.hpp"

#include "davit/html/html.hpp"

namespace davit::html {
namespace {

constexpr std::string_view style = R"css(
:root{color-scheme:light dark;--ink:#1b2128;--soft:#5b6671;--faint:#dfe3e8;--page:#fff;--panel:#f5f7f9;--good:#1a7f4b;
--bad:#b3261e;--warn:#96610a;--c0:#0b62a4;--c1:#c8501e;--c2:#1b8a6b;--c3:#8a4fb0;--c4:#b08900;--c5:#c2457d;--c6:#3a9bc9;--c7:#5f6b76}
@media(prefers-color-scheme:dark){:root{--ink:#e4e8ec;--soft:#9aa6b2;--faint:#353d46;--page:#14181d;--panel:#1c2229;--good:#54c08a;
--bad:#ff8a80;--warn:#e6b450;--c0:#62b0ee;--c1:#f08a5d;--c2:#4fc7a1;--c3:#c095e0;--c4:#dcb93c;--c5:#ee86b4;--c6:#86d0f0;--c7:#a3aeb9}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{max-width:1000px;margin:0 auto;padding:28px 24px 60px}
header{border-bottom:2px solid var(--ink);padding-bottom:14px;margin-bottom:18px}
h1{font-size:26px;line-height:1.25;margin:0 0 4px;font-weight:650;overflow-wrap:anywhere}
h2{font-size:18px;margin:34px 0 10px;padding-bottom:4px;border-bottom:1px solid var(--faint);font-weight:650}
h3{font-size:15px;margin:20px 0 6px;font-weight:650}
p{margin:6px 0}
.soft{color:var(--soft)}
.verdict{display:flex;gap:12px;align-items:baseline;flex-wrap:wrap;margin:16px 0;padding:12px 16px;background:var(--panel);border-left:5px solid var(--soft)}
.verdict b{font-size:18px}
.verdict.good{border-color:var(--good)}.verdict.good b{color:var(--good)}
.verdict.bad{border-color:var(--bad)}.verdict.bad b{color:var(--bad)}
.verdict.warn{border-color:var(--warn)}.verdict.warn b{color:var(--warn)}
.warnings li{margin:3px 0}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:13.5px}
th,td{text-align:left;padding:5px 6px 5px 12px;border-bottom:1px solid var(--faint);vertical-align:top}
th{font-weight:600;color:var(--soft);border-bottom:1px solid var(--soft);white-space:nowrap}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td.t{color:var(--soft)}
td small{display:block;color:var(--soft);font-size:12px}
th:first-child,td:first-child{padding-left:0}th:last-child,td:last-child{padding-right:0}
.name{overflow-wrap:anywhere;min-width:9em}
.passed{color:var(--good);font-weight:600}.exceeded{color:var(--bad);font-weight:600}.caution{color:var(--warn);font-weight:600}
.use{display:flex;align-items:center;gap:8px;justify-content:flex-end;white-space:nowrap;font-variant-numeric:tabular-nums}
.use svg{width:110px;height:10px;flex:none}
.use .track{fill:var(--faint)}.use .fill{fill:var(--good)}.use .fill.near{fill:var(--warn)}.use .fill.over{fill:var(--bad)}
.use .mark{stroke:var(--ink);stroke-width:1}
figure{margin:0}
.plot{position:relative;margin:14px 0 20px;break-inside:avoid}
.plot figcaption{display:flex;flex-wrap:wrap;gap:2px 14px;align-items:baseline;font-size:13.5px}
.key{font:inherit;font-size:12.5px;color:inherit;background:none;border:0;padding:1px 0;display:inline-flex;gap:6px;align-items:center;cursor:pointer;overflow-wrap:anywhere;text-align:left}
.key[aria-pressed=false]{opacity:.35;text-decoration:line-through}
.key:focus-visible{outline:2px solid var(--c0);outline-offset:2px}
.swatch{width:22px;height:8px;flex:none}
.chart{display:block;width:100%;height:auto;touch-action:pan-y;user-select:none}
.live .chart{cursor:crosshair}
.grid{stroke:var(--faint);stroke-width:1;fill:none}
.frame{stroke:var(--soft);stroke-width:1;fill:none}
.tick{fill:var(--soft);font-size:11.5px;font-variant-numeric:tabular-nums}.tick.y{text-anchor:end}.tick.x{text-anchor:middle}
.axis{fill:var(--soft);font-size:12px;text-anchor:middle}
.curve{fill:none;stroke-width:1.4;stroke-linejoin:round}
.dashed{stroke-dasharray:5 3}.d1{stroke-dasharray:9 3}.d2{stroke-dasharray:3 2}.d3{stroke-dasharray:9 3 2 3}
.limit-name{fill:var(--bad);font-size:11px;text-anchor:end;paint-order:stroke;stroke:var(--page);stroke-width:3px}
.limit{fill:none;stroke:var(--bad);stroke-width:1.2;stroke-dasharray:7 4}
.c0{stroke:var(--c0)}.c1{stroke:var(--c1)}.c2{stroke:var(--c2)}.c3{stroke:var(--c3)}.c4{stroke:var(--c4)}.c5{stroke:var(--c5)}.c6{stroke:var(--c6)}.c7{stroke:var(--c7)}
.cursor{stroke:var(--soft);stroke-width:1;fill:none}
.dot{fill:var(--page);stroke-width:1.6}
.band{fill:var(--c0);opacity:.15}
.tip{position:absolute;pointer-events:none;background:var(--page);border:1px solid var(--soft);padding:4px 8px;font-size:12px;line-height:1.45;white-space:nowrap;z-index:1;font-variant-numeric:tabular-nums}
.tip[hidden]{display:none}
.tip i{display:inline-block;width:14px;height:0;border-top:2px solid;margin-right:6px;vertical-align:middle}
.views{display:flex;flex-wrap:wrap;gap:18px;align-items:flex-end;margin:10px 0}
.view{max-width:100%;break-inside:avoid}
.replay{margin:10px 0}.replay figcaption{font-size:12.5px;color:var(--soft)}.replay iframe{width:100%;height:min(420px,70vh);border:1px solid var(--faint);display:block}
.view figcaption{font-size:12.5px;color:var(--soft)}
.view svg{display:block;max-width:100%;height:auto;background:var(--panel)}
.body{fill:none;stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}
.water{stroke:var(--c6);stroke-width:1.2;fill:none}.sea{fill:var(--c6);opacity:.16}
.solid{fill:var(--part);stroke:var(--ink);stroke-width:.8;stroke-linejoin:round}.solid.hull{--part:#8fa1b3}.solid.body{fill-opacity:.92}
.f0{--part:#e3b778}.f1{--part:#9cbfd9}.f2{--part:#a9cfb9}.f3{--part:#d6b3cc}.f4{--part:#e0b39c}.f5{--part:#b9c4cf}.f6{--part:#d3cb94}.f7{--part:#b7b7d6}
.rope{stroke:var(--ink);stroke-width:1.1;fill:none}.mooring{stroke:var(--soft);stroke-width:.9;fill:none}
.block{border:1px solid var(--faint);padding:4px 12px;margin:10px 0}
.bar{stroke:var(--ink);stroke-width:1.2;fill:none}
.label{fill:var(--ink);font-size:11px;paint-order:stroke;stroke:var(--panel);stroke-width:3px;stroke-linejoin:round}
.pairs{display:grid;grid-template-columns:repeat(auto-fill,minmax(290px,1fr));gap:0 28px;margin:0;font-size:13.5px}
.pairs div{display:flex;justify-content:space-between;gap:14px;border-bottom:1px solid var(--faint);padding:4px 0}
.pairs dt{color:var(--soft)}.pairs dd{margin:0;text-align:right;overflow-wrap:anywhere}
details{margin:8px 0}
summary{cursor:pointer}
pre{font:12px/1.45 ui-monospace,"DejaVu Sans Mono",Consolas,monospace;background:var(--panel);padding:12px;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere}
footer{margin-top:40px;padding-top:8px;border-top:1px solid var(--faint);font-size:12.5px;color:var(--soft)}
@media(max-width:600px){main{padding:16px 12px 40px}h1{font-size:21px}.use svg{width:60px}.hint{display:none}}
@page{size:A4;margin:16mm 14mm}
@media print{:root{color-scheme:light;--ink:#000;--soft:#444;--faint:#ccc;--page:#fff;--panel:#f4f4f4;--good:#1a7f4b;--bad:#b3261e;--warn:#96610a;
--c0:#0b62a4;--c1:#c8501e;--c2:#1b8a6b;--c3:#8a4fb0;--c4:#b08900;--c5:#c2457d;--c6:#3a9bc9;--c7:#5f6b76}
body{font-size:10.5pt;print-color-adjust:exact;-webkit-print-color-adjust:exact}main{max-width:none;padding:0}h2,h3,figcaption,p.soft{break-after:avoid}tr{break-inside:avoid}thead{display:table-header-group}
.views{zoom:.7}.wide{overflow:visible}table{font-size:8.5pt}th,td{padding:3px 4px 3px 7px}.tip,.hint,.replay{display:none}.key[aria-pressed=false]{display:none}pre{font-size:7.5pt}}
)css";

// The numbers are those of the data beside each picture. The name space of SVG is taken from an element that has it.
constexpr std::string_view script = R"js(
'use strict';
for (const figure of document.querySelectorAll('figure.plot')) {
  const data = JSON.parse(figure.querySelector('script').textContent);
  const svg = figure.querySelector('svg.chart'), tip = figure.querySelector('.tip');
  const keys = [...figure.querySelectorAll('.key')];
  const [full_width, height, left, right, top, bottom] = data.box;
  let width = full_width;
  const curves = data.curves.map((curve) => ({...curve, shown: true}));
  let all = [Infinity, -Infinity];
  for (const {t} of curves) for (const time of t) if (time !== null) all = [Math.min(all[0], time), Math.max(all[1], time)];
  if (!(all[0] < all[1])) all = all[0] === all[1] ? [all[0] - 1, all[1] + 1] : [0, 1];
  let times = all, values = [0, 1], drag = null;
  const x = (time) => left + (time - times[0]) / (times[1] - times[0]) * (width - left - right);
  const y = (value) => height - bottom - (value - values[0]) / (values[1] - values[0]) * (height - top - bottom);
  const time_at = (px) => times[0] + (px - left) / (width - left - right) * (times[1] - times[0]);
  const clamp = (v, low, high) => Math.min(Math.max(v, low), high);

  function text_of(value) {
    if (value === null) return '–';
    const power = Math.abs(value);
    if (power !== 0 && (power >= 1e6 || power < 1e-4)) {
      const [m, e] = value.toExponential(4).split('e');
      const digits = [...String(Math.abs(+e))].map((d) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[d]).join('');
      return `${String(+m).replace('-', '−')}×10${+e < 0 ? '⁻' : ''}${digits}`;
    }
    return String(+value.toPrecision(5)).replace('-', '−');
  }
  function add(name, attributes, text) {
    const node = document.createElementNS(svg.namespaceURI, name);
    for (const key in attributes) node.setAttribute(key, attributes[key]);
    if (text !== undefined) node.textContent = text;
    svg.append(node);
    return node;
  }
  function ticks(low, high, wanted) {
    const rough = (high - low) / wanted, power = 10 ** Math.floor(Math.log10(rough)), ratio = rough / power;
    const step = power * (ratio <= 1.5 ? 1 : ratio <= 3.5 ? 2 : ratio <= 7.5 ? 5 : 10), list = [];
    for (let i = Math.ceil(low / step - 1e-9); i <= Math.floor(high / step + 1e-9); ++i) list.push(i * step);
    // More digits than the step has are the rounding of the product.
    const digits = Math.max(0, 1 - Math.floor(Math.log10(step)));
    return list.map((v) => digits <= 100 ? +v.toFixed(digits) : v);
  }
  function find_values() {
    let low = Infinity, high = -Infinity;
    for (const curve of curves) if (curve.shown) curve.t.forEach((time, i) => {
      const v = curve.v[i];
      if (v === null || time < times[0] || time > times[1]) return;
      low = Math.min(low, v); high = Math.max(high, v);
    });
    if (!(low <= high)) return [0, 1];
    const span = high - low, data_low = low, data_high = high;
    for (const {value} of data.limits) if (value > data_low - span && value < data_high + span) {
      low = Math.min(low, value); high = Math.max(high, value);
    }
    let margin = 0.06 * (high - low);
    if (high - low <= 1e-12 * Math.max(Math.abs(low), Math.abs(high))) margin = high === 0 ? 1 : 0.1 * Math.abs(high);
    return [low - margin, high + margin];
  }
  function path_of(curve) {
    let path = '', down = false;
    curve.t.forEach((time, i) => {
      if (curve.v[i] === null) { down = false; return; }
      // One sample beyond each edge, so that the line goes on to it.
      if (curve.t[i + 1] < times[0] || curve.t[i - 1] > times[1]) return;
      path += `${down ? 'L' : 'M'}${x(time).toFixed(1)} ${y(curve.v[i]).toFixed(1)}`;
      down = true;
    });
    return path;
  }
  const clip = `clip${[...document.querySelectorAll('figure.plot')].indexOf(figure)}`;
  // A narrow window gets a narrower picture, not smaller letters; paper gets the full one.
  function draw(on_paper) {
    width = on_paper ? full_width : clamp(svg.clientWidth, 320, full_width);
    svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    values = find_values();
    tip.hidden = true;
    svg.replaceChildren();
    const frame = add('clipPath', {id: clip});
    frame.append(add('rect', {x: left, y: top, width: width - left - right, height: height - top - bottom}));
    for (const v of ticks(values[0], values[1], 5)) {
      add('path', {class: 'grid', d: `M${left} ${y(v)}H${width - right}`});
      add('text', {class: 'tick y', x: left - 7, y: y(v) + 4}, text_of(v));
    }
    for (const t of ticks(times[0], times[1], width < 600 ? 5 : 10)) {
      add('path', {class: 'grid', d: `M${x(t)} ${top}V${height - bottom}`});
      add('text', {class: 'tick x', x: x(t), y: height - bottom + 16}, text_of(t));
    }
    add('path', {class: 'frame', d: `M${left} ${top}H${width - right}V${height - bottom}H${left}Z`});
    add('text', {class: 'axis', x: (left + width - right) / 2, y: height - 5}, `${data.over} [${data.over_unit}]`);
    add('text', {class: 'axis', transform: `translate(14 ${(top + height - bottom) / 2}) rotate(-90)`}, `[${data.unit || '-'}]`);
    const names = data.limits.filter(({value}) => value >= values[0] && value <= values[1]);
    for (const {value} of names) add('path', {class: 'limit', d: `M${left} ${y(value)}H${width - right}`});
    for (const curve of curves) if (curve.shown) add('path', {class: curve.class, d: path_of(curve), 'clip-path': `url(#${clip})`});
    for (const {name, lower, value} of names)
      add('text', {class: 'limit-name', x: width - right - 6, y: y(value) + (lower || y(value) < top + 16 ? 13 : -5)}, name);
  }
  function nearest(list, time) {
    let low = 0, high = list.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (list[middle] < time) low = middle; else high = middle;
    }
    return Math.abs(list[low] - time) < Math.abs(list[high] - time) ? low : high;
  }
  const place = (event) => {
    const box = svg.getBoundingClientRect();
    return clamp((event.clientX - box.left) / box.width * width, left, width - right);
  };
  function forget() {
    for (const node of svg.querySelectorAll('.cursor,.dot,.band')) node.remove();
    tip.hidden = true;
  }
  function hover(event) {
    forget();
    const px = place(event), time = time_at(px);
    if (drag !== null) {
      add('rect', {class: 'band', x: Math.min(drag, px), y: top, width: Math.abs(px - drag), height: height - top - bottom});
    }
    add('path', {class: 'cursor', d: `M${px} ${top}V${height - bottom}`});
    const head = document.createElement('div');
    head.textContent = `${text_of(time)} ${data.over_unit}`;
    tip.replaceChildren(head);
    for (const curve of curves) {
      if (!curve.shown || curve.t.length === 0) continue;
      const i = nearest(curve.t, time), line = document.createElement('div'), mark = document.createElement('i');
      if (curve.v[i] !== null && curve.t[i] >= times[0] && curve.t[i] <= times[1]) {
        const dot = add('circle', {class: `dot ${curve.class.replace('curve ', '')}`, cx: x(curve.t[i]), cy: y(curve.v[i]), r: 3.2});
        mark.style.borderColor = getComputedStyle(dot).stroke;
      }
      line.append(mark, `${curve.name}: ${text_of(curve.v[i])} ${data.unit}`);
      tip.append(line);
    }
    tip.hidden = false;
    const box = svg.getBoundingClientRect(), outer = figure.getBoundingClientRect(), at = box.left - outer.left + px / width * box.width;
    tip.style.left = `${at + 14 + tip.offsetWidth > outer.width ? Math.max(0, at - 14 - tip.offsetWidth) : at + 14}px`;
    tip.style.top = `${box.top - outer.top + 14}px`;
  }
  svg.addEventListener('pointermove', hover);
  svg.addEventListener('pointerleave', () => { if (drag === null) forget(); });
  svg.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    drag = place(event);
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener('pointercancel', () => { drag = null; forget(); });
  svg.addEventListener('pointerup', (event) => {
    if (drag === null) return;
    const from = time_at(Math.min(drag, place(event))), to = time_at(Math.max(drag, place(event)));
    const far = Math.abs(drag - place(event)) > 6;
    drag = null;
    if (far) { times = [from, to]; draw(); }
    hover(event);
  });
  svg.addEventListener('dblclick', () => { times = all; draw(); });
  keys.forEach((key, i) => {
    key.setAttribute('aria-pressed', 'true');
    key.addEventListener('click', () => {
      curves[i].shown = !curves[i].shown;
      key.setAttribute('aria-pressed', String(curves[i].shown));
      draw();
    });
  });
  figure.classList.add('live');
  addEventListener('resize', () => draw());
  addEventListener('beforeprint', () => draw(true));
  addEventListener('afterprint', () => draw());
  draw();
}
for (const hint of document.querySelectorAll('.hint')) hint.hidden = false;
addEventListener('beforeprint', () => { for (const part of document.querySelectorAll('details')) part.open = true; });
)js";

}  // namespace

std::string document(std::string_view title, std::string_view content) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
      // Nothing is loaded, sent or embedded but what is in the page; a replay in a frame of its own inherits this.
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
      "style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'\">"
      "<meta name=\"generator\" content=\"Davit\"><title>";
  out += escape(title);
  out += "</title><style>";
  out += style;
  out += "</style></head><body><main>\n";
  out += content;
  out += "</main>\n<script>";
  out += script;
  out += "</script></body></html>\n";
  return out;
}

}  // namespace davit::html
