// Stands in for `davit live` where the page is tested: the same requests and messages, a crane of kinematics only.
//   node test/mock_live.mjs [PORT]
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import { channels, Crane, levers, packedFrame, packedRows, phases, scene, shape } from './mock_crane.mjs';
import { Socket } from './web_socket.mjs';

const dist = new URL('../dist/', import.meta.url);
const tick = 0.02;
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const page = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>live</title><link rel="stylesheet" href="viewer.css"><link rel="icon" href="data:,"></head><body>\n<div id="davit"></div><script src="viewer.js"></script></body></html>\n';

class Program {
  sockets = new Set();
  run = 1;
  paused = false;
  automatic = false;
  factor = 1;
  achieved = 1;
  late = 0;
  crane = new Crane();
  rows = [];

  get meta() {
    return {
      title: 'A crane that is made up', status: 'live', created: '2026-01-01', method: 'none', step: tick, davit: 'mock', file: 'mock.yaml',
      rows: 0, frames: 0, first: 0, last: 0, channels, events: [], scene, shape,
      live: { tick, run: this.run, levers, phases: phases.map((name) => ({ name })) },
    };
  }

  get folder() {
    return `results/mock/live-${this.run}`;
  }
  tell(message) {
    for (const socket of this.sockets) socket.text(message);
  }
  announce(socket) {
    socket.text({ began: { run: this.run, folder: this.folder, t: this.crane.t, start: 0 } });
  }

  hear(socket, text) {
    const { crane } = this;
    const message = JSON.parse(text);
    const index = (name) => {
      const i = levers.findIndex((l) => l.name === name);
      if (i < 0) socket.text({ error: `there is no lever '${name}': it has ${levers.map((l) => l.name).join(', ')}` });
      return i;
    };
    const act = {
      speed: (speeds) => {
        for (const [name, speed] of Object.entries(speeds)) {
          const i = index(name);
          if (i < 0) continue;
          crane.targets[i] = undefined;
          crane.wanted[i] = speed;
        }
      },
      move: (values) => {
        for (const [name, value] of Object.entries(values)) if (index(name) >= 0) crane.targets[index(name)] = value;
      },
      stop: () => {
        crane.targets.fill(undefined);
        crane.wanted.fill(0);
      },
      phase: (name) => {
        const p = phases.indexOf(name);
        if (p < 0) return socket.text({ error: `there is no phase '${name}': it has ${phases.join(', ')}` });
        crane.begin(p);
        this.tell({ event: { time: crane.t, element: name, key: 'begins', text: '' } });
      },
      automatic: (on) => (this.automatic = on),
      pause: (on) => (this.paused = on),
      factor: (factor) => (this.factor = factor),
      ticks: (count) => {
        for (let k = 0; k < count && this.paused; ++k) this.advance(tick);
      },
      reset: () => {
        this.tell({ ended: this.ended });
        ++this.run;
        this.crane = new Crane();
        this.rows = [];
        for (const s of this.sockets) this.announce(s);
      },
      end: () => {
        this.tell({ ended: this.ended });
        this.close();
      },
    };
    for (const [key, value] of Object.entries(message)) {
      if (act[key]) act[key](value);
      else socket.text({ error: `'${key}' is not known: a message has ${Object.keys(act).join(', ')}` });
    }
  }

  get ended() {
    return { run: this.run, status: 'interrupted', text: 'ended from the page', folder: this.folder, replay: `${this.folder}/replay.yaml` };
  }

  advance(dt) {
    this.crane.step(dt);
    this.rows.push({ t: this.crane.t, values: this.crane.row() });
  }

  start() {
    let n = 0;
    this.timer = setInterval(() => {
      const pace = this.factor === 0 ? 20 : this.factor;
      for (let k = 0; k < 2 && !this.paused; ++k) this.advance(tick * pace);
      for (const socket of this.sockets) socket.binary(packedFrame(this.crane.t, this.crane.frame()));
      if (++n % 2 === 0 && this.rows.length > 0) {
        for (const socket of this.sockets) socket.binary(packedRows(this.rows));
        this.rows = [];
      }
      if (n % 3 === 0) this.tell({ state: this.state });
    }, 40);
  }

  get state() {
    const { crane } = this;
    return {
      t: crane.t, paused: this.paused, automatic: this.automatic, factor: this.factor, achieved: this.factor || 20, late: this.late,
      levers: levers.map((_, i) => [crane.values[i], crane.speeds[i], crane.wanted[i]]),
      phases: crane.status, controller: { mode: 'lock-step', missed: 0, round_trip: 0.0003 },
    };
  }

  close() {
    clearInterval(this.timer);
    for (const socket of this.sockets) socket.close();
    this.server.close();
    this.server.closeAllConnections();
  }

  async answer(path) {
    if (path === '/') return ['text/html', page];
    if (path === '/viewer.js') return ['text/javascript', await readFile(new URL('viewer.js', dist))];
    if (path === '/viewer.css') return ['text/css', await readFile(new URL('viewer.css', dist))];
    if (path === '/api/meta') return ['application/json', JSON.stringify(this.meta)];
    if (path === '/api/meshes') return ['application/octet-stream', Buffer.from(Float64Array.from([0, 0]).buffer)];
    return undefined;
  }

  listen(port) {
    this.server = http.createServer(async (request, response) => {
      const found = await this.answer(request.url);
      response.writeHead(found ? 200 : 404, { 'Content-Type': found?.[0] ?? 'text/plain', 'Content-Security-Policy': policy });
      response.end(found?.[1] ?? 'there is nothing here\n');
    });
    this.server.on('upgrade', (request, stream) => {
      if (request.url !== '/live') return stream.destroy();
      const socket = new Socket(request, stream);
      this.sockets.add(socket);
      socket.onText = (text) => this.hear(socket, text);
      socket.onClose = () => this.sockets.delete(socket);
      this.announce(socket);
      return undefined;
    });
    return new Promise((resolve) => this.server.listen(port, '127.0.0.1', () => resolve(`http://127.0.0.1:${this.server.address().port}/`)));
  }
}

export async function startMock(port = 0) {
  const program = new Program();
  const address = await program.listen(port);
  program.start();
  return { address, program };
}

if (import.meta.url === `file://${process.argv[1]}`) console.log((await startMock(Number(process.argv[2] ?? 0))).address);
