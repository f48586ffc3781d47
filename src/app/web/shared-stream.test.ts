import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeEventSource } from './fake-event-source.ts';
import { watchStream } from './live.ts';
import type { StreamEvent } from './stream.ts';

/** Exclusive locks as browsers grant them: one holder, the others queued. */
function fakeLocks() {
  const line: (() => void)[] = [];
  let held = false;
  const next = () => {
    if (held) return;
    const grant = line.shift();
    if (grant) grant();
  };
  return {
    request: (_name: string, { signal }: { signal: AbortSignal }, hold: () => Promise<void>) =>
      new Promise<void>((resolve, reject) => {
        const grant = () => {
          held = true;
          void hold().then(() => {
            held = false;
            resolve();
            next();
          });
        };
        signal.addEventListener('abort', () => {
          const place = line.indexOf(grant);
          if (place < 0) return;
          line.splice(place, 1);
          reject(signal.reason as Error);
        });
        line.push(grant);
        next();
      }),
  };
}

class FakeChannel extends EventTarget {
  static all = new Set<FakeChannel>();
  constructor() {
    super();
    FakeChannel.all.add(this);
  }
  postMessage(data: unknown) {
    for (const other of FakeChannel.all) if (other !== this) other.dispatchEvent(new MessageEvent('message', { data }));
  }
  close() {
    FakeChannel.all.delete(this);
  }
}

let leave: (() => void)[] = [];

function tab(): StreamEvent[] {
  const heard: StreamEvent[] = [];
  leave.push(watchStream((event) => heard.push(event)));
  return heard;
}

function show(state: 'visible' | 'hidden') {
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: state });
  document.dispatchEvent(new Event('visibilitychange'));
}

beforeEach(() => {
  vi.useFakeTimers();
  FakeEventSource.install();
  FakeChannel.all.clear();
  vi.stubGlobal('BroadcastChannel', FakeChannel);
  Object.defineProperty(navigator, 'locks', { configurable: true, value: fakeLocks() });
});

afterEach(() => {
  for (const stop of leave) stop();
  leave = [];
  show('visible');
  Reflect.deleteProperty(navigator, 'locks');
});

describe('one stream per browser', () => {
  test('three tabs open one stream, and all receive its messages', () => {
    const tabs = [tab(), tab(), tab()];
    expect(FakeEventSource.open).toBe(1);
    FakeEventSource.newest.say('prices', { at: 7 });
    for (const heard of tabs) expect(heard).toEqual([{ name: 'prices', data: '{"at":7}' }]);
  });

  test('when the leading tab closes, another takes over', async () => {
    tab();
    const second = tab();
    leave[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(FakeEventSource.open).toBe(1);
    FakeEventSource.newest.say('prices', { at: 8 });
    expect(second).toHaveLength(1);
  });

  test('a browser without locks opens its own stream', () => {
    Reflect.deleteProperty(navigator, 'locks');
    const heard = tab();
    FakeEventSource.newest.say('market', {});
    expect(heard).toHaveLength(1);
  });
});

describe('a hidden tab', () => {
  test('keeps the stream for 30 s, then closes it', () => {
    tab();
    show('hidden');
    vi.advanceTimersByTime(29_999);
    expect(FakeEventSource.open).toBe(1);
    vi.advanceTimersByTime(1);
    expect(FakeEventSource.open).toBe(0);
  });

  test('refetches everything once when visible again', () => {
    const heard = tab();
    show('hidden');
    vi.advanceTimersByTime(60_000);
    show('visible');
    expect(heard).toEqual([{ name: 'reset', data: '' }]);
  });

  test('a brief absence changes nothing', () => {
    const heard = tab();
    show('hidden');
    vi.advanceTimersByTime(5000);
    show('visible');
    vi.advanceTimersByTime(60_000);
    expect(heard).toEqual([]);
    expect(FakeEventSource.made).toHaveLength(1);
  });
});
