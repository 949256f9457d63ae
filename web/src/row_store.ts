// Rows of a run that goes on, as they come in; the oldest are forgotten where memory would be too much.

const rowsPerChunk = 256;
const mostBytes = 64e6;

interface Chunk {
  times: Float64Array;
  values: Float32Array; // row by row
  used: number;
}

export class RowStore {
  private chunks: Chunk[] = [];
  private readonly mostChunks: number;

  constructor(private readonly channels: number) {
    this.mostChunks = Math.max(8, Math.floor(mostBytes / (rowsPerChunk * (4 * channels + 8))));
  }

  get rows(): number {
    const full = Math.max(this.chunks.length - 1, 0) * rowsPerChunk;
    return full + (this.chunks.at(-1)?.used ?? 0);
  }
  get first(): number {
    return this.chunks[0]?.times[0] ?? 0;
  }
  get last(): number {
    const chunk = this.chunks.at(-1);
    return chunk ? chunk.times[chunk.used - 1] : 0;
  }

  clear() {
    this.chunks = [];
  }

  // Rows that are not later than the last one are known already.
  add(times: Float64Array, values: Float32Array) {
    for (let row = 0; row < times.length; ++row) {
      if (this.chunks.length > 0 && times[row] <= this.last) continue;
      let chunk = this.chunks.at(-1);
      if (!chunk || chunk.used === rowsPerChunk) {
        chunk = { times: new Float64Array(rowsPerChunk), values: new Float32Array(rowsPerChunk * this.channels), used: 0 };
        this.chunks.push(chunk);
        if (this.chunks.length > this.mostChunks) this.chunks.shift();
      }
      chunk.times[chunk.used] = times[row];
      chunk.values.set(values.subarray(row * this.channels, (row + 1) * this.channels), chunk.used * this.channels);
      ++chunk.used;
    }
  }

  private stretches(first: number, last: number, stride: number): number {
    return Math.max(0, Math.ceil((Math.min(last, this.rows) - first) / stride));
  }

  // In the last row that is not later.
  value(channel: number, time: number): number {
    let low = 0;
    let high = this.rows - 1;
    if (high < 0) return NaN;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.chunks[Math.floor(middle / rowsPerChunk)].times[middle % rowsPerChunk] <= time) low = middle;
      else high = middle - 1;
    }
    return this.chunks[Math.floor(low / rowsPerChunk)].values[(low % rowsPerChunk) * this.channels + channel];
  }

  // As the program gives them of a result (view/content.cpp).
  times(first: number, last: number, stride: number): Float64Array {
    const end = Math.min(last, this.rows);
    return Float64Array.from({ length: this.stretches(first, last, stride) }, (_, i) => {
      const begin = first + i * stride;
      const row = begin + (Math.min(stride, end - begin) >> 1);
      return this.chunks[Math.floor(row / rowsPerChunk)].times[row % rowsPerChunk];
    });
  }

  envelope(channel: number, first: number, last: number, stride: number): { low: Float32Array; high: Float32Array } {
    const count = this.stretches(first, last, stride);
    const low = new Float32Array(count).fill(NaN);
    const high = new Float32Array(count).fill(NaN);
    const end = Math.min(last, this.rows);
    for (let row = first; row < end; ++row) {
      const value = this.chunks[Math.floor(row / rowsPerChunk)].values[(row % rowsPerChunk) * this.channels + channel];
      const i = Math.floor((row - first) / stride);
      if (!(low[i] <= value)) low[i] = Number.isNaN(value) ? low[i] : value;
      if (!(high[i] >= value)) high[i] = Number.isNaN(value) ? high[i] : value;
    }
    return { low, high };
  }
}
