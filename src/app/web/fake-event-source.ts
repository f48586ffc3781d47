import { vi } from 'vitest';

/** An EventSource controlled by a test: nothing happens unless triggered. */
export class FakeEventSource extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  static made: FakeEventSource[] = [];

  readonly url: string;
  readyState = FakeEventSource.CONNECTING;

  constructor(url: string) {
    super();
    this.url = url;
    FakeEventSource.made.push(this);
  }

  static install(): void {
    FakeEventSource.made = [];
    vi.stubGlobal('EventSource', FakeEventSource);
  }

  static get newest(): FakeEventSource {
    const newest = FakeEventSource.made.at(-1);
    if (!newest) throw new Error('No stream was opened');
    return newest;
  }

  static get open(): number {
    return FakeEventSource.made.filter(({ readyState }) => readyState !== FakeEventSource.CLOSED).length;
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED;
  }

  connect(): void {
    this.readyState = FakeEventSource.OPEN;
    this.dispatchEvent(new Event('open'));
  }

  /** The server refused (`CLOSED`), or the connection broke and the browser retries (`CONNECTING`). */
  fail(readyState: number = FakeEventSource.CLOSED): void {
    this.readyState = readyState;
    this.dispatchEvent(new Event('error'));
  }

  say(name: string, data: unknown, lastEventId = ''): void {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data), lastEventId }));
  }
}
