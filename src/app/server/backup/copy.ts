import { Readable, Writable } from 'node:stream';

import type pg from 'pg';

/** What pg's connection supports for COPY beyond its published types. */
type Wire = pg.Connection & {
  sendCopyFromChunk: (chunk: Buffer) => void;
  endCopyFrom: () => void;
  sendCopyFail: (reason: string) => void;
};

type Complete = { text: string };

const CHUNK_BYTES = 64 * 1024;

const rowsIn = ({ text }: Complete): number => Number(text.split(' ')[1]);

/** Rows of `COPY … TO STDOUT` as bytes, with backpressure. Must be read to its end before the client is used again. */
export class CopyOut extends Readable {
  rows = 0;
  #wire: Wire | undefined;
  #chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  #filled = 0;

  constructor(client: pg.Client, text: string) {
    super({ highWaterMark: 4 * CHUNK_BYTES });
    const query = {
      submit: (wire: pg.Connection) => {
        this.#wire = wire as Wire;
        wire.query(text);
      },
      handleCopyData: ({ chunk }: { chunk: Buffer }) => this.#take(chunk),
      handleCommandComplete: (message: Complete) => {
        this.rows = rowsIn(message);
      },
      handleReadyForQuery: () => {
        this.#flush();
        this.push(null);
      },
      handleError: (error: Error) => this.destroy(error),
    };
    client.query(query);
  }

  /** A row is a view into a buffer that the driver reuses, so its bytes are copied. */
  #take(row: Buffer): void {
    if (this.destroyed) return;
    if (this.#filled + row.length > this.#chunk.length) this.#flush();
    if (row.length > this.#chunk.length) this.#give(Buffer.from(row));
    else {
      row.copy(this.#chunk, this.#filled);
      this.#filled += row.length;
    }
  }

  #flush(): void {
    if (this.#filled === 0 || this.destroyed) return;
    this.#give(this.#chunk.subarray(0, this.#filled));
    this.#chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    this.#filled = 0;
  }

  #give(chunk: Buffer): void {
    if (!this.push(chunk)) this.#wire?.stream.pause();
  }

  override _read(): void {
    this.#wire?.stream.resume();
  }

  /** The rest of the response has no reader: the connection must not wait for one. */
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#wire?.stream.resume();
    done(error);
  }
}

/**
 * Accepts the bytes of `COPY … FROM STDIN`. Finishes when the server has received everything, and fails with the error
 * of the server.
 */
export class CopyIn extends Writable {
  rows = 0;
  readonly #client: pg.Client;
  readonly #text: string;
  #wire: Wire | undefined;
  #isCopying = false;
  #settle: ((error?: Error | null) => void) | undefined;

  constructor(client: pg.Client, text: string) {
    super({ highWaterMark: 4 * CHUNK_BYTES });
    this.#client = client;
    this.#text = text;
  }

  #answer(error?: Error): boolean {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(error);
    return settle !== undefined;
  }

  override _construct(done: (error?: Error | null) => void): void {
    this.#settle = done;
    const query = {
      submit: (wire: pg.Connection) => {
        this.#wire = wire as Wire;
        wire.query(this.#text);
      },
      handleCopyInResponse: () => {
        this.#isCopying = true;
        this.#answer();
      },
      handleCommandComplete: (message: Complete) => {
        this.rows = rowsIn(message);
      },
      handleReadyForQuery: () => {
        this.#answer();
      },
      handleError: (error: Error) => {
        this.#isCopying = false;
        if (!this.#answer(error)) this.destroy(error);
      },
    };
    this.#client.query(query);
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    const { stream } = this.#wire as Wire;
    if (!this.#isCopying) return done();
    this.#wire?.sendCopyFromChunk(chunk);
    if (!stream.writableNeedDrain) return done();
    this.#settle = done;
    stream.once('drain', () => this.#answer());
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#isCopying = false;
    this.#settle = done;
    this.#wire?.endCopyFrom();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.#isCopying) return done(error);
    this.#isCopying = false;
    this.#settle = () => done(error);
    this.#wire?.sendCopyFail('reading the source rows failed');
  }
}
