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

  test('a line that was out for a moment says that it is back', () => {
    FakeEventSource.newest.connect();
    expect(names()).toEqual([]);
    FakeEventSource.newest.fail();
    vi.advanceTimersByTime(1000);
    FakeEventSource.newest.connect();
    expect(names()).toEqual(['back']);
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

describe('the stream of an account', () => {
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

  test('a sign-in replaces the open stream by one with a ticket, a sign-out the other way round', async () => {
    expect(urls()).toEqual([STREAM_URL, `${STREAM_URL},account&ticket=st_1`]);
    expect(FakeEventSource.open).toBe(1);
    clearSession();
    await settle();
    expect(urls().at(-1)).toBe(STREAM_URL);
    expect(FakeEventSource.open).toBe(1);
  });

  test('a ticket opens one stream: after a break another is asked for, from where it broke off, and the account is read again', async () => {
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

  test('says that it is open until it has heard something to go on from; that of a visitor never does', async () => {
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

  test('what the ticket may read is asked for, and passed on', async () => {
    tickets(() => ticket(['account', 'alerts']));
    startSession('s_pro', { id: 2, email: 'pro@people.example' });
    await settle();
    expect(urls().at(-1)).toBe(`${STREAM_URL},account,alerts&ticket=st_2`);
    FakeEventSource.newest.connect();
    FakeEventSource.newest.say('alerts', { at: 1, alerts: [] });
    expect(heard.at(-1)).toEqual({ name: 'alerts', data: '{"at":1,"alerts":[]}' });
  });

  test('a ticket that is refused counts as a failure; the last one that comes late opens nothing', async () => {
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
