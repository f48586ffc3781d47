import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { clearSession, startSession } from '#ui/session.ts';

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
});

/** Fails as often as it takes until polling starts. */
function breakDown() {
  for (let i = 0; i < 3; i++) {
    FakeEventSource.newest.fail();
    if (i < 2) vi.advanceTimersByTime(30_000);
  }
}

describe('stream', () => {
  test('subscribes to both topics and forwards their messages', () => {
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

  test('leaves the first disconnect to the browser, which resumes at its position', () => {
    FakeEventSource.newest.connect();
    FakeEventSource.newest.fail(FakeEventSource.CONNECTING);
    vi.advanceTimersByTime(10_000);
    expect(FakeEventSource.made).toHaveLength(1);
  });

  test('retries a refused stream with exponential backoff', () => {
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

  test('falls back to polling every 15 s after three failures', () => {
    breakDown();
    expect(names()).toEqual(['poll']);
    vi.advanceTimersByTime(45_000);
    expect(names()).toEqual(['poll', 'poll', 'poll', 'poll']);
  });

  test('stops polling and reports it once the stream is back', () => {
    breakDown();
    vi.advanceTimersByTime(4000);
    FakeEventSource.newest.connect();
    expect(names()).toEqual(['poll', 'live']);
    vi.advanceTimersByTime(60_000);
    expect(names()).toEqual(['poll', 'live']);
  });

  test('reports reconnecting after a brief disconnect', () => {
    FakeEventSource.newest.connect();
    expect(names()).toEqual([]);
    FakeEventSource.newest.fail();
    vi.advanceTimersByTime(1000);
    FakeEventSource.newest.connect();
    expect(names()).toEqual(['back']);
  });

  test('replaces a connection silent for 75 s and keeps an active one', () => {
    FakeEventSource.newest.connect();
    vi.advanceTimersByTime(70_000);
    FakeEventSource.newest.say('prices', {});
    vi.advanceTimersByTime(70_000);
    expect(FakeEventSource.made).toHaveLength(1);
    vi.advanceTimersByTime(10_000);
    expect(FakeEventSource.made).toHaveLength(2);
    expect(FakeEventSource.open).toBe(1);
  });

  test('does nothing after it is closed', () => {
    breakDown();
    close();
    vi.advanceTimersByTime(600_000);
    expect(names()).toEqual(['poll']);
    expect(FakeEventSource.open).toBe(0);
  });
});

describe('account stream', () => {
  let issued = 0;
  const ticket = (topics: string[]) =>
    Response.json({ ticket: `st_${++issued}`, expiresAt: '2026-11-20T12:00:30.000Z', topics });
  const tickets = (answer = () => ticket(['account'])) =>
    vi.stubGlobal(
      'fetch',
      vi.fn(async () => answer()),
    );
  const urls = () => FakeEventSource.made.map(({ url }) => url);
  const settle = () => vi.advanceTimersByTimeAsync(0);

  beforeEach(async () => {
    issued = 0;
    tickets();
    startSession('s_ann', { id: 1, email: 'ann@people.example' });
    await settle();
  });
  afterEach(() => clearSession());

  test('a sign-in replaces the open stream with one using a ticket, a sign-out does the reverse', async () => {
    expect(urls()).toEqual([STREAM_URL, `${STREAM_URL},account&ticket=st_1`]);
    expect(FakeEventSource.open).toBe(1);
    clearSession();
    await settle();
    expect(urls().at(-1)).toBe(STREAM_URL);
    expect(FakeEventSource.open).toBe(1);
  });

  test('a ticket opens one stream: after a disconnect requests another, resumes at its position, and refetches the account', async () => {
    FakeEventSource.newest.connect();
    FakeEventSource.newest.say('account', { changed: ['sessions'] }, '41');
    FakeEventSource.newest.fail(FakeEventSource.CONNECTING);
    await vi.advanceTimersByTimeAsync(1000);
    expect(urls().at(-1)).toBe(`${STREAM_URL},account&ticket=st_2&lastEventId=41`);
    FakeEventSource.newest.connect();
    expect(heard).toEqual([
      { name: 'joined', data: '' },
      { name: 'account', data: '{"changed":["sessions"]}' },
      { name: 'account', data: '{"changed":["subscription"]}' },
      { name: 'back', data: '' },
    ]);
  });

  test('reports opening until it has a message to resume from; a visitor’s stream never does', async () => {
    const joined = () => names().filter((name) => name === 'joined').length;
    FakeEventSource.newest.connect();
    FakeEventSource.newest.fail();
    await vi.advanceTimersByTimeAsync(1000);
    FakeEventSource.newest.connect();
    expect(joined()).toBe(2);
    FakeEventSource.newest.say('prices', { at: 1 }, '7');
    FakeEventSource.newest.fail();
    await vi.advanceTimersByTimeAsync(1000);
    FakeEventSource.newest.connect();
    clearSession();
    await settle();
    FakeEventSource.newest.connect();
    expect(joined()).toBe(2);
  });

  test('requests the topics the ticket may read and forwards them', async () => {
    tickets(() => ticket(['account', 'alerts']));
    startSession('s_pro', { id: 2, email: 'pro@people.example' });
    await settle();
    expect(urls().at(-1)).toBe(`${STREAM_URL},account,alerts&ticket=st_2`);
    FakeEventSource.newest.connect();
    FakeEventSource.newest.say('alerts', { at: 1, alerts: [] });
    expect(heard.at(-1)).toEqual({ name: 'alerts', data: '{"at":1,"alerts":[]}' });
  });

  test('a rejected ticket counts as a failure; a late response to the last one opens nothing', async () => {
    tickets(() => Response.json({ error: 'Authentication required', code: 'unauthenticated' }, { status: 401 }));
    FakeEventSource.newest.fail();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(names()).toContain('poll');
    close();
    const made = FakeEventSource.made.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(FakeEventSource.made).toHaveLength(made);
  });
});
