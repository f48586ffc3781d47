import { get, type IncomingMessage } from 'node:http';

import { sql } from 'kysely';

import { alertsTopic } from '#features/alerts/contract/alerts.ts';
import { openShard } from '#features/alerts/server/thresholds/owner/shard.ts';
import { pricesTopic } from '#features/market/contract/market.ts';
import type { Db } from '#kernel/db.ts';

import { quantile } from './alerts-rules.ts';
import { type Benchmark, type Context, interleave } from './benchmark.ts';
import { sleep } from './support/browser.ts';
import { openProduct, signIn, startFilledDatabase } from './support/product.ts';

type Product = Awaited<ReturnType<typeof openProduct>>;

const MINUTE_MS = 60_000;
const USERS = 1000;
const PAGE_SIZE = 20_000;
const FRAME_TIMEOUT_MS = 2000;
/** Basis points above the price: levels of the listener's own rules, crossed by every five-point rise. */
const PERSONAL_LEVELS = [1, 2.5, 4];

/**
 * Rules above and below the prices of Bitcoin and Ethereum, at realistic distances from the current price, each with
 * the state matching that price.
 */
export async function addRules(db: Db, from: number, to: number, prices: { btc: number; eth: number }): Promise<void> {
  await sql`insert into users (email, password_hash, created_at) select 'bench' || i || '@example.org', '', now()
    from generate_series(1, ${USERS}) i on conflict do nothing`.execute(db);
  await sql`with people as (select array_agg(id order by id) as ids from users where email like 'bench%')
    insert into alert_rules (user_id, position, name, description, metric, condition, value, enabled, options, first_on, created_at, updated_at)
    select ids[1 + i % ${USERS}], i, 'Level', '', case when i % 2 = 0 then 'btc_price' else 'eth_price' end,
      case when i % 4 < 2 then 'above' else 'below' end, round((v.price * exp(v.normal * 0.15))::numeric, 2), true,
      jsonb_build_object('mode', 'every', 'cooldownMinutes', 1, 'margin', v.price * 0.0002, 'holdMinutes', 0,
        'expiresAt', null, 'and', null, 'schedule', null),
      case when (i % 4 < 2) = (v.normal < 0) then 2 else 1 end,
      now() - interval '1 day', now() - interval '1 day'
    from people, generate_series(${from}::int, ${to}::int) i, lateral (
      select case when i % 2 = 0 then ${prices.btc}::float8 else ${prices.eth}::float8 end as price,
        sqrt(-2 * ln(1 - (hashint4(i) & 1048575) / 1048576.0)) * cos(2 * pi() * (hashint4(i + 77) & 1048575) / 1048576.0) as normal
    ) v`.execute(db);
  await sql`analyze alert_rules`.execute(db);
}

/** Reads the same rows as objects, without processing them. */
async function readAll(db: Db): Promise<number> {
  const startedAt = performance.now();
  for (let last = 0, full = true; full; ) {
    const { rows } = await sql<{ id: number }>`select id, user_id, version, metric, condition, value, options, first_on,
        second_on, extract(epoch from pending_since)::float8 as pending_since,
        extract(epoch from last_fired_at)::float8 as last_fired_at, extract(epoch from updated_at)::float8 as updated_at
      from alert_rules where id > ${last} and enabled and paused is null and not done order by id limit ${PAGE_SIZE}`.execute(
      db,
    );
    full = rows.length === PAGE_SIZE;
    last = rows.at(-1)?.id ?? last;
  }
  return performance.now() - startedAt;
}

async function restartOwner({ thresholds }: Product): Promise<number> {
  const { ctx, feed } = thresholds;
  const startedAt = performance.now();
  const shard = await openShard({
    ctx,
    feed,
    shard: 0,
    isOwnMetric: () => true,
    owner: 'bench',
    onEnd: (error) => console.error(error),
  });
  const ms = performance.now() - startedAt;
  await shard.stop();
  return ms;
}

/** Opens the stream of one account; the function it returns waits for the next frame and gives its time. */
async function openStream(port: number, token: string): Promise<() => Promise<number>> {
  const response = await fetch(`http://127.0.0.1:${port}/api/stream/ticket`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  const { ticket } = (await response.json()) as { ticket: string };
  const stream = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: `/api/stream?topics=${alertsTopic.name}&ticket=${ticket}` }, resolve).on(
      'error',
      reject,
    );
  });
  let onFrame: (at: number) => void = () => undefined;
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    if (text.includes(`event: ${alertsTopic.name}`)) onFrame(performance.now());
  });
  return () =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('No frame came')), FRAME_TIMEOUT_MS);
      onFrame = (at) => {
        clearTimeout(timer);
        resolve(at);
      };
    });
}

/**
 * Moves a price up and down by five basis points; returns the time from its publication to the frame of the listener's
 * rule.
 */
async function measureEndToEnd(product: Product, rounds: number): Promise<Float64Array> {
  const { market, thresholds, clock } = product;
  const { port } = await product.listen();
  const token = await signIn(port);
  const base = market.priceOfSymbol('BTC') ?? 0;
  const tick = (price: number) => {
    clock.advance(2 * MINUTE_MS);
    const at = clock.now().getTime();
    return thresholds.ctx.live.publish(pricesTopic, {
      at,
      sources: ['Coinbase'],
      ticks: [['bitcoin', price, 1, null, 0, at]],
    });
  };
  for (const above of PERSONAL_LEVELS) {
    const response = await fetch(`http://127.0.0.1:${port}/api/alerts/thresholds/rules`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        name: 'Level',
        metric: 'btc_price',
        condition: 'above',
        value: base * (1 + above / 10_000),
        options: { cooldownMinutes: 1, margin: base * 0.00005 },
      }),
    });
    if (response.status !== 200) throw new Error(`Adding a rule answered ${response.status}: ${await response.text()}`);
  }
  const owner = await thresholds.startOwner();
  const nextFrame = await openStream(port, token);
  await sleep(3000);
  const times = new Float64Array(rounds);
  for (let i = -5; i < rounds; i++) {
    await tick(base);
    await sleep(60);
    const frame = nextFrame();
    const startedAt = performance.now();
    await tick(base * 1.0005);
    const elapsedMs = (await frame) - startedAt;
    if (i >= 0) times[i] = elapsedMs;
    await sleep(20);
  }
  await owner.stop();
  return times;
}

async function run(context: Context): Promise<void> {
  const connection = await startFilledDatabase(context);
  const product = await openProduct({ connection, frozen: true });
  context.cleanUp(() => product.stop());
  const { db } = product.thresholds.ctx;
  const prices = { btc: product.market.priceOfSymbol('BTC') ?? 0, eth: product.market.priceOfSymbol('ETH') ?? 0 };
  let ruleCount = 0;
  for (const n of context.ci ? [10_000] : [10_000, 100_000, 1_000_000]) {
    await addRules(db, ruleCount + 1, n, prices);
    ruleCount = n;
    const measured = await interleave(
      context.ci ? 2 : 3,
      () => restartOwner(product),
      () => readAll(db),
    );
    context.emit({
      name: 'alerts.restart',
      n,
      unit: 'ms',
      subject: measured.subject,
      baseline: measured.baseline,
      ratio: measured.ratio,
      goal: { atMost: 2.5 },
    });
    if (n === 1_000_000)
      context.emit({
        name: 'alerts.restart.absolute',
        n,
        unit: 's',
        subject: measured.subject / 1000,
        ratio: measured.subject / 1000,
        goal: { atMost: 4 },
      });
    if (n !== 100_000) continue;
    const times = await measureEndToEnd(product, 200);
    const p99 = quantile(times, 0.99);
    context.note(`from tick to frame: p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
    context.emit({ name: 'alerts.e2e', n, unit: 'ms p99', subject: p99, ratio: p99, goal: { atMost: 50 } });
  }
}

export const alertsOwner: Benchmark = { names: ['alerts.restart', 'alerts.e2e'], run };
