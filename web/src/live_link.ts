// The line to a program that runs live: it is opened again where it is lost. docs/live.md has the protocol.
import type { RunEvent } from './source';

export type PhaseStatus = 'waiting' | 'running' | 'stopping' | 'done' | 'failed';

export interface LiveState {
  t: number;
  paused: boolean;
  automatic: boolean;
  factor: number; // 0: as fast as it can
  achieved: number;
  late: number; // s
  levers: [value: number, speed: number, target: number][];
  phases: PhaseStatus[];
  controller: null | { mode: string; missed: number; round_trip: number };
}

export interface Ended {
  run: number;
  status: string;
  text: string;
  folder: string;
  replay: string;
}

export interface Message {
  began?: { run: number; folder: string; t: number; start: number };
  state?: LiveState;
  event?: RunEvent;
  ended?: Ended;
  error?: string;
}

export interface Command {
  speed?: Record<string, number>;
  move?: Record<string, number>;
  stop?: true;
  phase?: string;
  automatic?: boolean;
  pause?: boolean;
  factor?: number;
  ticks?: number;
  reset?: true;
  end?: true;
}

const waits = [0.5, 1, 2, 4]; // s before it is tried again; the last for ever

export class LiveLink {
  private socket?: WebSocket;
  private tries = 0;
  private closed = false;
  private readonly texts: ((message: Message) => void)[] = [];
  private readonly binaries: ((buffer: ArrayBuffer) => void)[] = [];
  private readonly changes: (() => void)[] = [];

  get connected(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  onMessage(listener: (message: Message) => void) {
    this.texts.push(listener);
  }
  onBinary(listener: (buffer: ArrayBuffer) => void) {
    this.binaries.push(listener);
  }
  // The line was opened or lost.
  onChange(listener: () => void) {
    this.changes.push(listener);
  }

  open() {
    const address = new URL('live', location.href);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    address.hash = '';
    const socket = new WebSocket(address);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.onopen = () => {
      this.tries = 0;
      this.tell();
    };
    socket.onmessage = ({ data }) => {
      if (typeof data !== 'string') for (const hear of this.binaries) hear(data as ArrayBuffer);
      else for (const hear of this.texts) hear(JSON.parse(data) as Message);
    };
    socket.onclose = () => {
      this.tell();
      if (this.closed) return;
      const wait = waits[Math.min(this.tries++, waits.length - 1)];
      setTimeout(() => this.open(), 1000 * wait);
    };
  }

  // The program has ended: there is nothing to be tried again.
  close() {
    this.closed = true;
    this.socket?.close();
  }

  private tell() {
    for (const hear of this.changes) hear();
  }

  send(command: Command) {
    if (this.connected) this.socket!.send(JSON.stringify(command));
  }
}
