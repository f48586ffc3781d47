import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';

import { openReader } from '#kernel/live/fixtures/reader.ts';
import { disableDatabase, enableDatabase } from '#tests/support/database-outage.ts';
import { readExposition } from '#tests/support/exposition.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { addRule, publishQuotes, rulesApi } from '#tests/support/own-rules.ts';
import { ruleOwner } from '#tests/support/rule-owner.ts';

const s = fileProduct({ env: { ADMIN_EMAIL: 'root@example.com', ADMIN_PASSWORD: 'hunter22 and more' } });
const ann = member(s, 'ann', 'premium');
let url: string;
const db = () => s.product.auth.ctx.db;

beforeAll(async () => {
  url = `http://127.0.0.1:${(await s.product.listen()).port}`;
  await s.job('market.listing');
});

const textOf = async () => {
  // Stored metrics are read every 15 seconds.
  s.advance(15_000);
  const answer = await fetch(`${url}/metrics`);
  expect(answer.status).toBe(200);
  return answer.text();
};
const scrape = async () => readExposition(await textOf());

describe('the text', () => {
  test('every metric has its help and type once, no series is duplicated, names and labels are ours', async () => {
    const first = await scrape();
    const second = await scrape();
    for (const [name, type] of second.types) {
      expect(name).toMatch(/^(meridian|process|nodejs)_[a-z0-9_]+$/);
      if (name.startsWith('meridian_')) expect(name.endsWith('_total'), name).toBe(type === 'counter');
      expect(name).not.toMatch(/_(ms|milliseconds|minutes|percent|kb|mb)$/);
    }
    for (const [key, value] of first.series) {
      const name = key.slice(0, key.indexOf('{'));
      const isCounter = first.types.get(name) === 'counter' || /_(bucket|count)$/.test(name);
      if (isCounter && name.startsWith('meridian_')) expect(second.series.get(key), key).toBeGreaterThanOrEqual(value);
    }
    expect(second.series.size).toBeLessThan(1500);
  });

  test('contains no user address, name or token, and no source address', async () => {
    await fetch(`${url}/api/prices?secret=s3cret`, { headers: { authorization: `Bearer ${ann.token}` } });
    await fetch(`${url}/no/such/page/s3cret`);
    const text = await textOf();
    for (const secret of ['example.com', 's3cret', ann.token, 'http:', 'postgres:', String(s.connection.database)])
      expect(text).not.toContain(secret);
  });
});

test('requests: are counted by route, method and status class, including prepared buffers that bypass the router', async () => {
  const of = (each: Awaited<ReturnType<typeof scrape>>, route: string, status: string) =>
    each.value('meridian_http_requests_total', { route, status, method: 'GET' }) ?? 0;
  const before = await scrape();
  for (let i = 0; i < 3; i++) await (await fetch(`${url}/api/prices`)).text();
  for (let id = 1; id <= 2; id++)
    await fetch(`${url}/api/admin/incidents/${id}/retract`, { method: 'POST' }).then((each) => each.text());
  for (let i = 0; i < 3; i++) await (await fetch(`${url}/api/no/such/call/${i}`)).text();
  const after = await scrape();
  expect(of(after, '/api/prices', '2xx') - of(before, '/api/prices', '2xx')).toBe(3);
  const unmatched = { route: 'unmatched', status: '4xx' };
  expect(after.value('meridian_http_requests_total', unmatched)).toBe(
    (before.value('meridian_http_requests_total', unmatched) ?? 0) + 3,
  );
  const retracting = { route: '/api/admin/incidents/:id/retract', method: 'POST', status: '4xx' };
  expect(after.value('meridian_http_requests_total', retracting)).toBe(2);
  const labels = { route: '/api/prices', method: 'GET' };
  expect(after.value('meridian_http_request_duration_seconds_count', labels)).toBe(of(after, '/api/prices', '2xx'));
  expect(after.value('meridian_http_request_duration_seconds_bucket', { ...labels, le: '+Inf' })).toBe(
    of(after, '/api/prices', '2xx'),
  );
  expect(after.value('meridian_http_request_duration_seconds_sum', labels)).toBeGreaterThan(0);
});

describe('activity', () => {
  test('streams and frames', async () => {
    const before = await scrape();
    const reader = await openReader(`${url}/api/stream?topics=market`);
    await expect.poll(() => s.product.market.ctx.live.hub.clients()).toBe(1);
    await s.product.scheduler.runManually('market.listing');
    await expect.poll(() => reader.messages().length).toBeGreaterThan(0);
    const after = await scrape();
    expect(after.value('meridian_stream_connections')).toBe(1);
    for (const name of ['meridian_stream_frames_total', 'meridian_stream_writes_total'])
      expect(after.value(name), name).toBeGreaterThan(before.value(name) ?? 0);
    reader.close();
    await expect.poll(async () => (await scrape()).value('meridian_stream_connections')).toBe(0);
  });

  test('jobs and sources: a success, and a failure with its reason', async () => {
    const job = { job_name: 'market.tickers' };
    const before = await scrape();
    await s.product.scheduler.runManually('market.tickers');
    s.sandbox.faults.set({ provider: 'okx', kind: 'server_error' });
    await expect(s.product.scheduler.runManually('market.tickers')).rejects.toThrow();
    s.sandbox.faults.clear();
    const after = await scrape();
    for (const outcome of ['done', 'failed'])
      expect(after.value('meridian_job_runs_total', { ...job, outcome })).toBe(
        (before.value('meridian_job_runs_total', { ...job, outcome }) ?? 0) + 1,
      );
    expect(after.value('meridian_job_last_failure_timestamp_seconds', job)).toBeGreaterThan(1e9);
    expect(after.value('meridian_job_last_success_timestamp_seconds', job)).toBeGreaterThan(1e9);
    const okx = { source: 'okx' };
    expect(after.value('meridian_source_failing', okx)).toBe(1);
    expect(after.value('meridian_source_calls_total', { ...okx, outcome: 'status' })).toBeGreaterThan(0);
    expect(after.value('meridian_source_last_success_timestamp_seconds', okx)).toBeGreaterThan(1e9);
  });

  test('rules loaded, values evaluated, an alert raised, its delivery pending and settled', async () => {
    const owner = ruleOwner(s);
    await publishQuotes(s, { bitcoin: 80_000 });
    const before = await scrape();
    await addRule(rulesApi(s, ann), { name: 'high', value: 85_000 });
    await owner.takeOwnership();
    await owner.settled();
    await publishQuotes(s, { bitcoin: 86_000 });
    const raised = (each: typeof before) => each.value('meridian_alerts_raised_total', { of: 'rules' }) ?? 0;
    await expect.poll(async () => raised(await scrape())).toBe(raised(before) + 1);
    const during = await scrape();
    expect(during.value('meridian_rules_held', { shard: '0' })).toBe(1);
    expect(during.value('meridian_leading', { duty: 'rules 0' })).toBe(1);
    expect(during.value('meridian_rule_values_judged_total')).toBeGreaterThan(
      before.value('meridian_rule_values_judged_total') ?? 0,
    );
    await s.product.notifications.deliver();
    await owner.stopAll();
    const after = await scrape();
    expect(after.value('meridian_leading', { duty: 'rules 0' })).toBe(0);
    expect(after.value('meridian_deliveries_total')).toBeGreaterThan(before.value('meridian_deliveries_total') ?? 0);
  });

  test('pending deliveries and payments, with their age', async () => {
    await sql`insert into usdc_cursors (network, scanned, head, mark, first_block, polled_at)
      values ('base', 90, 100, null, 1, ${s.clock.now().toISOString()})`.execute(db());
    await sql`update notification_deliveries set state = 'due', locked_until = null,
      due_at = ${new Date(s.clock.now().getTime() - 600_000).toISOString()}::timestamptz`.execute(db());
    const now = await scrape();
    expect(now.value('meridian_payment_watcher_lag_blocks', { network: 'base' })).toBe(10);
    expect(now.value('meridian_payments_suspense')).toBe(0);
    expect(now.value('meridian_deliveries_waiting', { state: 'due' })).toBeGreaterThan(0);
    expect(
      Math.max(
        ...['email', 'push'].map((channel) => now.value('meridian_delivery_oldest_due_seconds', { channel }) ?? 0),
      ),
    ).toBeGreaterThanOrEqual(615);
  });
});

describe('the database', () => {
  test('is queried once in fifteen seconds, for any number of scrapes', async () => {
    await scrape();
    const sizeOf = async () => readExposition(await (await fetch(`${url}/metrics`)).text()).value('meridian_jobs');
    const before = await sizeOf();
    await s.product.scheduler.send('contact.retention');
    expect(await sizeOf()).toBe(before);
    s.advance(15_000);
    expect(await sizeOf()).toBe((before ?? 0) + 1);
  });

  test('down: the scrape is 200, reports it and omits stored data, and on recovery all of it is back', async () => {
    const names = ['meridian_database_size_bytes', 'meridian_deliveries_waiting', 'meridian_payments_suspense'];
    const well = await scrape();
    expect(well.value('meridian_up_database')).toBe(1);
    for (const name of names) expect(well.value(name), name).toBeDefined();
    await disableDatabase(s.connection);
    await expect.poll(async () => (await scrape()).value('meridian_up_database')).toBe(0);
    const gone = await scrape();
    for (const name of names) expect(gone.value(name), name).toBeUndefined();
    expect(gone.value('meridian_http_requests_total')).toBeGreaterThan(0);
    await enableDatabase(s.connection);
    await expect.poll(async () => (await scrape()).value('meridian_up_database')).toBe(1);
  });

  test('with no connection left: the scrape is 200 within four seconds', async () => {
    const { pool } = s.product;
    const held = await Promise.all(Array.from({ length: pool.options.max ?? 10 }, () => pool.connect()));
    const begun = performance.now();
    const answer = await scrape();
    expect(performance.now() - begun).toBeLessThan(4500);
    expect(answer.value('meridian_up_database')).toBe(0);
    expect(answer.value('meridian_database_pool_connections', { state: 'used' })).toBe(pool.options.max ?? 10);
    for (const client of held) client.release();
    await expect.poll(async () => (await scrape()).value('meridian_up_database')).toBe(1);
  });
});
