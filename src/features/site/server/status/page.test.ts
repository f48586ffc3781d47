import { randomUUID } from 'node:crypto';

import { beforeEach, describe, expect, test } from 'vitest';
import { getStatus, type Status } from '#features/site/contract/status.ts';
import { openDatabase } from '#kernel/db.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { NOON } from '#tests/support/start.ts';
import { createStatusReader } from './service.ts';

const s = fileProduct({ env: { PUBLIC_URL: 'https://meridian.example' } });
const admin = member(s, 'root', 'admin');
beforeEach(async () => {
  s.clock.set(NOON);
  await s.product.market.ctx.db.deleteFrom('incidents').execute();
});

const SCRIPT = '<script>alert(1)</script> & "more"';
const write = (more: object = {}) =>
  admin.post('/api/admin/incidents', {
    title: SCRIPT,
    impact: 'minor',
    components: ['prices'],
    message: SCRIPT,
    ...more,
  });
const fresh = async (path: string) => {
  await s.product.refresh();
  return s.get(path);
};

describe('GET /api/status', () => {
  test('200 for everyone: every component with ninety days, its window and target', async () => {
    const { statusCode, body, headers } = await fresh('/api/status');
    const status = getStatus.reply.parse(JSON.parse(body));
    expect([statusCode, headers['etag']]).toEqual([200, expect.any(String)]);
    expect(status.components.map(({ name, days, uptime }) => [name, days.length, uptime.targetPercent])).toEqual(
      ['Website and API', 'Live prices', 'Full collection', 'Slow series', 'Alerts and notifications', 'Database'].map(
        (name) => [name, 90, 99.9],
      ),
    );
    expect(body).not.toContain(admin.email);
  });

  test('alerts report their speed and their failures', async () => {
    const { components } = (await fresh('/api/status')).json<Status>();
    expect(components.find(({ id }) => id === 'alerts')?.facts).toEqual(['No alerts delivered in the last 30 days.']);
  });

  test('the website reports how many processes serve: those with a heartbeat within two minutes', async () => {
    const { db } = s.product.market.ctx;
    const beat = (minutesAgo: number, role: string) =>
      db
        .insertInto('process_heartbeats')
        .values({
          minute: new Date(NOON.getTime() - minutesAgo * 60_000).toISOString(),
          process_id: randomUUID(),
          role,
        })
        .execute();
    const said = async () =>
      (await fresh('/api/status')).json<Status>().components.find(({ id }) => id === 'website')?.facts;
    await db.deleteFrom('process_heartbeats').execute();
    for (const [ago, role] of [
      [5, 'web'],
      [0, 'worker'],
    ] as const)
      await beat(ago, role);
    expect(await said()).toEqual(['0 processes reported as serving within the last two minutes.']);
    await beat(1, 'web');
    expect(await said()).toEqual(['1 process reported as serving within the last two minutes.']);
    await beat(0, 'all');
    expect(await said()).toEqual(['2 processes reported as serving within the last two minutes.']);
    await db.deleteFrom('process_heartbeats').execute();
  });
});

describe('/status', () => {
  test('200: the state in a sentence, every component, and updates shown as raw text', async () => {
    await write();
    const { statusCode, body, headers } = await fresh('/status');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toContain('<title>Status · Meridian</title>');
    expect(body).toContain('<link rel="canonical" href="https://meridian.example/status">');
    expect(body).not.toContain('<script>alert');
    expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;more&quot;');
    for (const words of [
      'Website and API',
      'Not measured',
      'How this is measured',
      'data-drawn="1795176000000"',
      'href="/status"',
    ])
      expect(body).toContain(words);
  });

  test('planned maintenance is shown under its own heading', async () => {
    const at = (hours: number) => new Date(NOON.getTime() + hours * 3_600_000).toISOString();
    await write({ title: 'New disks', impact: 'maintenance', startsAt: at(2), endsAt: at(3) });
    const { body } = await fresh('/status');
    expect(body).toContain('Planned maintenance');
    expect(body).toContain('Scheduled · Maintenance · 20 Nov 2026, 14:00 UTC to 15:00 UTC (1 h)');
  });
});

test('/status.atom: 200: an entry per incident, escaped', async () => {
  await write({ message: `${SCRIPT}\u0007` });
  const { statusCode, headers, body } = await fresh('/status.atom');
  expect([statusCode, headers['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8']);
  expect(body).toContain('<title>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;more&quot;</title>');
  expect(body).toContain('<updated>2026-11-20T12:00:00.000Z</updated>');
  expect(body).toMatch(/<id>https:\/\/meridian\.example\/status#incident-\d+<\/id>/);
  expect(body).not.toContain('\u0007');
  expect(body).not.toContain(admin.email);
});

test('while the database is down the last known state remains, marked as such', async () => {
  await write({ title: 'Before' });
  const { db, close } = openDatabase(s.connection, () => undefined, 1);
  const read = createStatusReader(db, s.clock.now);
  expect((await read(null)).unreadSince).toBeNull();
  await close();
  s.advance(60_000);
  const away = await read(null);
  s.advance(60_000);
  const still = await read(null);
  expect([away.unreadSince, still.unreadSince, still.asOf]).toEqual([
    '2026-11-20T12:01:00.000Z',
    '2026-11-20T12:01:00.000Z',
    '2026-11-20T12:02:00.000Z',
  ]);
  expect(still).toMatchObject({ state: 'down', headline: 'Down now: Database' });
  expect(still.incidents).toMatchObject([{ title: 'Before' }]);
  expect(still.components.map(({ id, state }) => [id, state])).toEqual([
    ['website', 'operational'],
    ['prices', 'no_data'],
    ['collection', 'no_data'],
    ['slow', 'no_data'],
    ['alerts', 'no_data'],
    ['database', 'down'],
  ]);
  expect(getStatus.reply.safeParse(still).success).toBe(true);
});
