// The server's side of a WebSocket (RFC 6455) as far as tests need it: whole messages, no extensions.
import { createHash } from 'node:crypto';

const guid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

export class Socket {
  onText = () => {};
  onClose = () => {};
  #buffer = Buffer.alloc(0);

  constructor(request, stream) {
    this.stream = stream;
    const accept = createHash('sha1').update(request.headers['sec-websocket-key'] + guid).digest('base64');
    stream.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
    stream.on('data', (data) => this.#take(data));
    stream.on('close', () => this.onClose());
    stream.on('error', () => {});
  }

  #take(data) {
    this.#buffer = Buffer.concat([this.#buffer, data]);
    for (;;) {
      const b = this.#buffer;
      if (b.length < 2) return;
      let length = b[1] & 127;
      let at = 2;
      if (length === 126) {
        if (b.length < 4) return;
        length = b.readUInt16BE(2);
        at = 4;
      } else if (length === 127) throw new Error('nobody says so much');
      if (b.length < at + 4 + length) return;
      const mask = b.subarray(at, at + 4);
      const said = Buffer.from(b.subarray(at + 4, at + 4 + length)).map((byte, i) => byte ^ mask[i % 4]);
      const kind = b[0] & 15;
      this.#buffer = b.subarray(at + 4 + length);
      if (kind === 1) this.onText(said.toString());
      else if (kind === 8) this.close();
      else if (kind === 9) this.#send(10, said);
    }
  }

  #send(kind, bytes) {
    if (this.stream.destroyed) return;
    const head = Buffer.alloc(bytes.length < 126 ? 2 : bytes.length < 65536 ? 4 : 10);
    head[0] = 128 | kind;
    if (bytes.length < 126) head[1] = bytes.length;
    else if (bytes.length < 65536) {
      head[1] = 126;
      head.writeUInt16BE(bytes.length, 2);
    } else {
      head[1] = 127;
      head.writeBigUInt64BE(BigInt(bytes.length), 2);
    }
    this.stream.write(Buffer.concat([head, bytes]));
  }

  text(object) {
    this.#send(1, Buffer.from(JSON.stringify(object)));
  }
  binary(bytes) {
    this.#send(2, bytes);
  }
  close() {
    if (!this.stream.destroyed) this.#send(8, Buffer.alloc(0));
    this.stream.end();
  }
}
