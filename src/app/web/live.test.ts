import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { describe, expect, test, vi } from 'vitest';

import { many, raisedOf } from '#features/alerts/web/alerts/fixtures.ts';
import { countAcknowledged } from '#features/alerts/web/alerts/patch.ts';
import { alertCountsQuery, alertsQuery } from '#features/alerts/web/alerts/queries.ts';

import { attachToasts } from '#ui/toast.ts';
import { handle } from './live.ts';

const KEYS = ['dashboard', 'sparklines', 'sources', 'narratives', 'metrics', 'layer1'];

test.each([
  ['dashboard', ['dashboard']],
  ['sparklines', ['sparklines']],
  ['sources', ['dashboard', 'sources']],
  ['metrics', ['narratives', 'metrics', 'layer1']],
])('%s from the server triggers refetching %j', (changed, stale) => {
  const queries = new QueryClient();
  for (const key of KEYS) queries.setQueryData([key], {});
  handle(queries, { name: 'market', data: JSON.stringify({ at: 0, changed: [changed] }) }, false);
  expect(KEYS.filter((key) => queries.getQueryState([key])?.isInvalidated)).toEqual(stale);
});

test('refetches the record when calls are frozen or graded and retains a verification', () => {
  const queries = new QueryClient();
  const keys = [
    ['dashboard'],
    ['backtest'],
    ['calls', {}],
    ['ledger'],
    ['league', '24h'],
    ['ledger', 'verify'],
    ['sources'],
  ];
  for (const key of keys) queries.setQueryData(key, {});
  handle(queries, { name: 'record', data: JSON.stringify({ at: 0 }) }, false);
  expect(keys.filter((key) => queries.getQueryState(key)?.isInvalidated)).toEqual(keys.slice(0, 5));
});

test.each([
  ['subscription', ['subscription']],
  ['profile', ['subscription']],
  ['sessions', ['sessions']],
  ['notifications', ['preferences']],
  ['payments', ['billing']],
])('an account change in %s triggers refetching %j', (changed, stale) => {
  const queries = new QueryClient();
  const keys = ['subscription', 'sessions', 'preferences', 'billing'];
  for (const key of keys) queries.setQueryData([key, 'a token'], {});
  handle(queries, { name: 'account', data: JSON.stringify({ changed: [changed] }) }, false);
  expect(keys.filter((key) => queries.getQueryState([key, 'a token'])?.isInvalidated)).toEqual(stale);
});

describe('streamed alerts', () => {
  const frame = (...ids: number[]) =>
    ({ name: 'alerts', data: JSON.stringify({ at: 0, alerts: ids.map((id) => raisedOf(id)) }) }) as const;
  const { queryKey: short } = alertsQuery('a token', 20);
  const { queryKey: long } = alertsQuery('a token', 100);

  test('appear immediately in every cached list, newest first, each once and unacknowledged', () => {
    const queries = new QueryClient();
    queries.setQueryData(short, many(3));
    queries.setQueryData(long, many(3));
    handle(queries, frame(5, 3, 4), false);
    for (const key of [short, long]) {
      expect(queries.getQueryData(key)?.map(({ id }) => id)).toEqual([5, 4, 3, 2, 1]);
      expect(queries.getQueryData(key)?.some(({ acknowledged }) => acknowledged)).toBe(false);
      expect(queries.getQueryState(key)?.isInvalidated).toBe(false);
    }
  });

  test('immediately count as unread, each once; acknowledging an unseen one uncounts it', () => {
    const queries = new QueryClient();
    const { queryKey: none } = alertCountsQuery('a token', null);
    const { queryKey: some } = alertCountsQuery('a token', 40);
    queries.setQueryData(none, { total: 41, unread: 41, newest: 41 });
    queries.setQueryData(some, { total: 41, unread: 1, newest: 41 });
    handle(queries, frame(43, 41, 42), false);
    expect(queries.getQueryData(none)).toEqual({ total: 43, unread: 43, newest: 43 });
    expect(queries.getQueryData(some)).toEqual({ total: 43, unread: 3, newest: 43 });
    countAcknowledged(queries, 7);
    expect([none, some].map((key) => queries.getQueryData(key)?.unread)).toEqual([42, 3]);
    countAcknowledged(queries, 42);
    expect([none, some].map((key) => queries.getQueryData(key)?.unread)).toEqual([41, 2]);
  });

  test('trigger a refetch of the delivery log', () => {
    const queries = new QueryClient();
    queries.setQueryData(['deliveries', 'a token'], {});
    handle(queries, frame(1), false);
    expect(queries.getQueryState(['deliveries', 'a token'])?.isInvalidated).toBe(true);
  });

  test('a list never read stays unread and is requested', () => {
    const queries = new QueryClient();
    queries.getQueryCache().build(queries, { queryKey: short });
    handle(queries, frame(1), false);
    expect(queries.getQueryData(short)).toBeUndefined();
    expect(queries.getQueryState(short)?.isInvalidated).toBe(true);
  });

  test('a read in flight when an alert arrives does not lose it', async () => {
    const queries = new QueryClient();
    queries.setQueryData(short, many(1));
    const answers: ((alerts: ReturnType<typeof many>) => void)[] = [];
    const watched = new QueryObserver(queries, {
      queryKey: short,
      queryFn: () => new Promise<ReturnType<typeof many>>((resolve) => void answers.push(resolve)),
    });
    const leave = watched.subscribe(() => {});
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    handle(queries, frame(2), false);
    expect(queries.getQueryData(short)?.map(({ id }) => id)).toEqual([2, 1]);
    answers[0]?.(many(1));
    await vi.waitFor(() => expect(answers).toHaveLength(2));
    expect(queries.getQueryData(short)?.map(({ id }) => id)).toEqual([2, 1]);
    answers[1]?.(many(2));
    await vi.waitFor(() => expect(queries.isFetching()).toBe(0));
    expect(queries.getQueryData(short)?.map(({ id }) => id)).toEqual([2, 1]);
    leave();
  });

  /** A list with an observer; the test answers its requests. */
  function watched() {
    const queries = new QueryClient();
    const answers: ((alerts: ReturnType<typeof many>) => void)[] = [];
    const queryFn = () => new Promise<ReturnType<typeof many>>((resolve) => void answers.push(resolve));
    const leave = new QueryObserver(queries, { queryKey: short, queryFn }).subscribe(() => {});
    return { queries, answers, leave };
  }

  test.each([
    ['one that comes', frame(2)],
    ['the opening of the stream', { name: 'joined', data: '' }],
  ] as const)('first read in flight: %s triggers another', async (_, event) => {
    const { queries, answers, leave } = watched();
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    handle(queries, event, false);
    answers[0]?.(many(1));
    await vi.waitFor(() => expect(answers).toHaveLength(2));
    answers[1]?.(many(2));
    await vi.waitFor(() => expect(queries.getQueryData(short)?.map(({ id }) => id)).toEqual([2, 1]));
    expect(answers).toHaveLength(2);
    leave();
  });

  test('reads alerts raised between the first read and the stream opening', async () => {
    const { queries, answers, leave } = watched();
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    answers[0]?.(many(1));
    await vi.waitFor(() => expect(queries.isFetching()).toBe(0));
    handle(queries, { name: 'joined', data: '' }, false);
    await vi.waitFor(() => expect(answers).toHaveLength(2));
    leave();
  });
});

test('reports a lost stream and its return once each, refetching all queries each time', () => {
  const queries = new QueryClient();
  const told: string[] = [];
  const detach = attachToasts(({ kind, message }) => told.push(`${kind}: ${message}`));
  const again = vi.spyOn(queries, 'invalidateQueries');
  handle(queries, { name: 'poll', data: '' }, false);
  handle(queries, { name: 'poll', data: '' }, true);
  handle(queries, { name: 'live', data: '' }, true);
  handle(queries, { name: 'back', data: '' }, false);
  detach();
  expect(told).toEqual([
    'warning: Live updates interrupted. Prices refresh every 15 seconds.',
    'success: Live updates restored',
  ]);
  expect(again.mock.calls).toEqual([[], [], []]);
});
