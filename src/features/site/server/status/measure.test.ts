import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ComponentId, Status } from '#features/site/contract/status.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { NOON } from '#tests/support/start.ts';

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];
const s = fileProduct();

const db = () => s.product.market.ctx.db;
const TABLES = ['process_heartbeats', 'status_components', 'status_lapses', 'status_days', 'incidents'];
beforeEach(async () => {
  s.clock.set(NOON);
  for (const table of TABLES) await sql`truncate ${sql.table(table)} cascade`.execute(db());
});

/** A heartbeat in every minute from `from` to before `to`, in minutes after noon. */
const serve = (from: number, to: number, id = 'one', role = 'all') =>
  sql`insert into process_heartbeats select ${NOON.toISOString()}::timestamptz + n * interval '1 minute', ${id}, ${role}
    from generate_series(${from}::int, ${to}::int - 1) n on conflict do nothing`.execute(db());
const standAt = (minutes: number) => s.clock.set(new Date(NOON.getTime() + minutes * MINUTE_MS + 20_000));
const measure = () => s.product.scheduler.runManually('status.measure');
async function read(): Promise<Status> {
  await s.product.refresh();
  return (await s.get('/api/status')).json<Status>();
}
async function component(id: ComponentId) {
  const found = (await read()).components.find((each) => each.id === id);
  if (!found) throw new Error(`There is no ${id}`);
  return found;
}
const daysOf = async () => (await sql`select * from status_days order by component, day`.execute(db())).rows;

describe('the roll-up', () => {
  test('matches counting minute by minute, for any heartbeats and however often it runs', async () => {
    const stretch = fc.record({
      from: fc.integer({ min: 0, max: 2900 }),
      length: fc.integer({ min: 1, max: 900 }),
      id: fc.constantFrom('one', 'two', 'three'),
      role: fc.constantFrom('all', 'web', 'worker'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(stretch, { minLength: 1, maxLength: 6 }),
        fc.uniqueArray(fc.integer({ min: 1, max: 2999 }), { maxLength: 3 }),
        async (stretches, stops) => {
          for (const table of TABLES) await sql`truncate ${sql.table(table)} cascade`.execute(db());
          for (const { from, length, id, role } of stretches) await serve(from, from + length, id, role);
          for (const stop of [...stops.toSorted((a, b) => a - b), 3000]) {
            standAt(stop);
            await measure();
          }
          const { rows: naive } = await sql<{ day: string; beats: number }>`
            select (minute at time zone 'UTC')::date as day, count(distinct minute) as beats from process_heartbeats
            where role <> 'worker' and minute < ${s.clock.now().toISOString()}::timestamptz - interval '20 seconds'
            group by 1 order by 1`.execute(db());
          const { rows: rolled } = await sql<{ day: string; well: number }>`
            select day, measured - degraded - down as well from status_days
            where component = 'website' and measured - degraded - down > 0 order by day`.execute(db());
          const first = await sql<{ first: string }>`select measured_from as first from status_components
            where component = 'website'`.execute(db());
          // No process had run before the first measurement, so nothing is counted for that time.
          const counted = naive.filter(({ day }) => day >= (first.rows[0]?.first.slice(0, 10) ?? ''));
          expect(rolled).toEqual(counted.map(({ day, beats }) => ({ day, well: beats })));
          const before = await daysOf();
          await measure();
          expect(await daysOf()).toEqual(before);
        },
      ),
      { numRuns: 12 },
    );
  });

  test('a day of 1,440 minutes with one lost is 99.93%, never rounded up', async () => {
    await serve(-2160, 1);
    await serve(2, 721);
    standAt(721);
    await measure();
    const { uptime, days } = await component('website');
    expect(uptime).toMatchObject({ percent: 99.965, measuredMinutes: 2881, targetPercent: 99.9 });
    expect(days.map(({ percent }) => percent).filter((percent) => percent !== null)).toEqual([100, 99.93, 100]);
    expect(days).toHaveLength(90);
    expect(days.at(-1)).toMatchObject({ day: '2026-11-21', measured: 1 });
  });

  test('days before the first heartbeat are not measured', async () => {
    await serve(-30, 0);
    standAt(0);
    await measure();
    const { days, uptime, state } = await component('website');
    expect(days.slice(0, -1).every(({ percent, measured }) => percent === null && measured === 0)).toBe(true);
    expect(uptime).toMatchObject({ percent: 100, from: '2026-11-20T11:30:00.000Z', measuredMinutes: 30 });
    expect(state).toBe('operational');
  });

  test('under ten minutes nothing is claimed, and without data nothing at all', async () => {
    const nothing = await read();
    expect([nothing.measuredTo, nothing.state]).toEqual([null, 'no_data']);
    expect(nothing.components[0]?.uptime.percent).toBeNull();
    await serve(-9, 0);
    standAt(0);
    await measure();
    expect((await component('website')).uptime).toMatchObject({ percent: null, measuredMinutes: 9 });
  });

  test('data older than the window is deleted, incidents are retained', async () => {
    await serve(-120, -60);
    await serve(-50, 0);
    standAt(0);
    await measure();
    s.advance(92 * DAY_MS);
    await s.product.scheduler.runManually('status.retention');
    expect(await daysOf()).toEqual([]);
    expect((await sql`select 1 from status_lapses`.execute(db())).rows).toEqual([]);
    expect((await sql`select 1 from incidents`.execute(db())).rows).toHaveLength(1);
  });
});

describe('measurement findings', () => {
  test('a gap in all serving processes opens an incident, closed at the minute they return', async () => {
    await serve(-60, 0);
    standAt(0);
    await measure();
    standAt(1);
    await measure();
    expect((await read()).incidents).toEqual([]);
    standAt(2);
    await measure();
    const [open] = (await read()).incidents;
    expect(open).toMatchObject({
      kind: 'measured',
      title: 'Outage: Website and API, Database',
      impact: 'major',
      components: ['website', 'database'],
      startsAt: '2026-11-20T12:00:00.000Z',
      endsAt: null,
      stage: null,
    });
    await serve(7, 10);
    standAt(10);
    await measure();
    const [ended, ...more] = (await read()).incidents;
    expect(more).toEqual([]);
    expect(ended).toMatchObject({
      id: open?.id,
      startsAt: '2026-11-20T12:00:00.000Z',
      endsAt: '2026-11-20T12:07:00.000Z',
    });
  });

  test('late prices degrade after five minutes and open an incident after ten more', async () => {
    await serve(-60, 60);
    standAt(0);
    await measure();
    await s.job('market.listing');
    standAt(1);
    await measure();
    expect((await component('prices')).state).toBe('operational');
    standAt(8);
    await measure();
    expect(await component('prices')).toMatchObject({
      state: 'degraded',
      note: 'The price of at least one tracked coin is delayed.',
    });
    standAt(20);
    await measure();
    expect((await read()).incidents).toMatchObject([{ title: 'Degraded: Live prices', impact: 'minor', endsAt: null }]);
    await s.job('market.listing');
    standAt(22);
    await measure();
    expect((await read()).incidents).toMatchObject([{ endsAt: expect.stringMatching(/^2026-11-20T12:2[01]/) }]);
    expect((await component('prices')).uptime.percent).toBeLessThan(60);
  });

  test('a lane that never started is pending, then late', async () => {
    await serve(-60, 60);
    standAt(0);
    await measure();
    expect(await component('collection')).toMatchObject({
      state: 'no_data',
      note: 'Not measured yet: waiting for the first full collection.',
      uptime: { percent: null, from: null },
    });
    await serve(60, 16 * 60);
    standAt(15 * 60);
    await measure();
    expect(await component('collection')).toMatchObject({
      state: 'down',
      note: 'Several scheduled collections are missing.',
    });
  });

  test('measurement has stopped: no data, with its start', async () => {
    await serve(-60, 0);
    standAt(0);
    await measure();
    await serve(0, 30, 'two', 'web');
    standAt(30);
    expect(await component('alerts')).toMatchObject({ state: 'no_data' });
    expect(await component('prices')).toMatchObject({ state: 'no_data' });
    expect((await component('website')).state).toBe('operational');
  });
});
