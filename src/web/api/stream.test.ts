// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { FakeEventSource } from './fake-event-source.ts';
import { openStream, STREAM_URL, type StreamEvent } from './stream.ts';

let heard: StreamEvent[] = [];
let close: () => void;
const names = () => heard.map(({ name }) => name);

beforeEach(() => {
  vi.useFakeTimers();
  FakeEventSource.install();
  heard = [];
  close = openStream((event) => heard.push(event));
});

afterEach(() => {
  close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Fails as often as it takes until polling begins. */
function breakDown() {
  for (let i = 0; i < 3; i++) {
    FakeEventSource.newest.fail();
    if (i < 2) vi.advanceTimersByTime(30_000);
  }
}

describe('the stream', () => {
  test('asks for both topics and passes on what they say', () => {
    FakeEventSource.newest.connect();
    FakeEventSource.newest.say('prices', { at: 1 });
    FakeEventSource.newest.say('market', { changed: [] });
    FakeEventSource.newest.say('reset', {});
    expect(FakeEventSource.newest.url).toBe(STREAM_URL);
    expect(heard).toEqual([
      { name: 'prices', data: '{"at":1}' },
      { name: 'market', data: '{"changed":[]}' },
      { name: 'reset', data: '{}' },
    ]);
  });

  test('the first break is left to the browser, which resumes where it was', () => {
    FakeEventSource.newest.connect();
    FakeEventSource.newest.fail(FakeEventSource.CONNECTING);
    vi.advanceTimersByTime(10_000);
    expect(FakeEventSource.made).toHaveLength(1);
  });

  test('a refused stream is tried again with growing pauses', () => {
    FakeEventSource.newest.fail();
    vi.advanceTimersByTime(999);
    expect(FakeEventSource.made).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(FakeEventSource.made).toHaveLength(2);
    FakeEventSource.newest.fail();
    vi.advanceTimersByTime(1999);
    expect(FakeEventSource.made).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(FakeEventSource.made).toHaveLength(3);
  });

  test('after three failures it asks for polling every 15 s', () => {
    breakDown();
    expect(names()).toEqual(['poll']);
    vi.advanceTimersByTime(45_000);
    expect(names()).toEqual(['poll', 'poll', 'poll', 'poll']);
  });

  test('polling stops once the stream is back, and that is said', () => {
    breakDown();
    vi.advanceTimersByTime(4000);
    FakeEventSource.newest.connect();
    expect(names()).toEqual(['poll', 'live']);
    vi.advanceTimersByTime(60_000);
    expect(names()).toEqual(['poll', 'live']);
  });

  test('a line that is silent for 75 s is replaced, one that speaks is kept', () => {
    FakeEventSource.newest.connect();
    vi.advanceTimersByTime(70_000);
    FakeEventSource.newest.say('prices', {});
    vi.advanceTimersByTime(70_000);
    expect(FakeEventSource.made).toHaveLength(1);
    vi.advanceTimersByTime(10_000);
    expect(FakeEventSource.made).toHaveLength(2);
    expect(FakeEventSource.open).toBe(1);
  });

  test('nothing goes on after it is closed', () => {
    breakDown();
    close();
    vi.advanceTimersByTime(600_000);
    expect(names()).toEqual(['poll']);
    expect(FakeEventSource.open).toBe(0);
  });
});
