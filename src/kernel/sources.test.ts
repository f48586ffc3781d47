import { beforeEach, describe, expect, test } from 'vitest';

import { fileDatabase } from '#tests/support/for-file.ts';

import { createClock } from './clock.ts';
import { type FailureKind, SourceError } from './http/source-error.ts';
import { createSourceRegistry, type SourceRegistry } from './sources.ts';

const NOON = '2026-11-20T12:00:00.000Z';
const LATER = '2026-11-20T12:05:00.000Z';

const open = fileDatabase();
let reported: string[];
let here: SourceRegistry;
let there: SourceRegistry;
const clock = createClock();

beforeEach(async () => {
  await open.pool.query('delete from source_states');
  reported = [];
  clock.set(new Date(NOON));
  const report = (source: string, type: string, message: string) => void reported.push(`${source} ${type} ${message}`);
  here = createSourceRegistry(open.db, clock.now, report);
  there = createSourceRegistry(open.db, clock.now, report);
});

const failure = (kind: FailureKind) => new SourceError(kind, `OKX failed: ${kind}`);

describe('a source', () => {
  test('is pending until its first call', () => {
    expect(here.status('okx')).toEqual({ state: 'waiting', note: null, lastSuccessAt: null, lastFailureAt: null });
  });

  test.each([
    ['rate_limited', 'rate_limited'],
    ['timeout', 'down'],
    ['network', 'down'],
    ['status', 'down'],
    ['body', 'down'],
  ] as const)('a failure of kind %s makes it %s, is reported, and retains its last success', (kind, state) => {
    here.succeeded('okx');
    clock.set(new Date(LATER));
    here.failed('okx', failure(kind));
    expect(here.status('okx')).toEqual({
      state,
      note: `OKX failed: ${kind}`,
      lastSuccessAt: NOON,
      lastFailureAt: LATER,
    });
    expect(reported).toEqual([`okx api_failure OKX failed: ${kind}`]);
  });

  test('that rejects the region is reported once, however often it is retried', () => {
    here.failed('okx', failure('refused_region'));
    here.failed('okx', failure('refused_region'));
    expect(here.status('okx').state).toBe('refused_region');
    expect(reported).toHaveLength(1);
    here.succeeded('okx');
    here.failed('okx', failure('refused_region'));
    expect(reported).toHaveLength(2);
  });

  test.each(['resting', 'cancelled'] as const)('a call that was never made (%s) does not affect it', (kind) => {
    here.succeeded('okx');
    here.failed('okx', failure(kind));
    expect([here.status('okx').state, reported]).toEqual(['ok', []]);
  });

  test('is stale with a note while its content does not change, and healthy again after a success', () => {
    here.succeeded('okx');
    here.stale('okx', 'Nothing new since 11:00');
    expect(here.status('okx')).toMatchObject({ state: 'stale', note: 'Nothing new since 11:00', lastSuccessAt: NOON });
    here.succeeded('okx');
    expect(here.status('okx')).toMatchObject({ state: 'ok', note: null });
  });
});

describe('the state seen by one process', () => {
  test('is visible to the others and after a restart', async () => {
    here.succeeded('coingecko');
    here.failed('okx', failure('rate_limited'));
    expect(await here.save()).toBe(true);
    await there.reload();
    for (const source of ['coingecko', 'okx']) expect(there.status(source)).toEqual(here.status(source));
  });

  test('is announced when a state changes, not when only its time does', async () => {
    here.succeeded('okx');
    expect(await here.save()).toBe(true);
    clock.set(new Date(LATER));
    here.succeeded('okx');
    expect(await here.save()).toBe(false);
    await there.reload();
    expect(there.status('okx').lastSuccessAt).toBe(LATER);
    expect(await here.save()).toBe(false);
  });

  test('is not overwritten by earlier observations of others', async () => {
    there.succeeded('okx');
    await there.save();
    clock.set(new Date(LATER));
    here.failed('okx', failure('status'));
    await here.reload();
    expect(here.status('okx').state).toBe('down');
    await here.save();
    await there.reload();
    expect(there.status('okx').state).toBe('down');
  });

  test('yields to later observations of another process, read or saved', async () => {
    here.failed('okx', failure('status'));
    here.failed('coingecko', failure('status'));
    clock.set(new Date(LATER));
    there.succeeded('okx');
    there.succeeded('coingecko');
    await there.save();
    await here.save();
    await there.reload();
    expect(there.status('coingecko')).toMatchObject({ state: 'ok', lastSuccessAt: LATER });
    clock.set(new Date(NOON));
    here.failed('okx', failure('status'));
    await here.reload();
    expect(here.status('okx').state).toBe('ok');
  });

  test('two processes that save the same sources in different orders do not deadlock', async () => {
    const names = Array.from({ length: 200 }, (_, i) => `source-${i}`);
    for (let round = 0; round < 10; round++) {
      for (const name of names) here.succeeded(name);
      for (const name of names.toReversed()) there.succeeded(name);
      await Promise.all([here.save(), there.save()]);
    }
  });

  test('is not overwritten by a reload that read before it was saved', async () => {
    const saved = Promise.withResolvers<void>();
    const slow = open.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (result.rows.length > 0) await saved.promise;
        return result;
      },
    });
    here = createSourceRegistry(slow, clock.now, () => {});
    here.succeeded('okx');
    await here.save();
    clock.set(new Date(LATER));
    here.failed('okx', failure('status'));
    const reloaded = here.reload();
    await here.save();
    saved.resolve();
    await reloaded;
    expect(here.status('okx').state).toBe('down');
  });

  test('is retained for the next save when the database rejects it', async () => {
    here.failed('okx', failure('status'));
    await open.pool.query('alter table source_states rename to away');
    await expect(here.save()).rejects.toThrow(/source_states/);
    await open.pool.query('alter table away rename to source_states');
    expect(await here.save()).toBe(true);
    await there.reload();
    expect(there.status('okx')).toEqual(here.status('okx'));
  });
});
