import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';

import { PRICE_OBSERVATIONS } from '#features/market/server/market/schema.ts';
import { type Connection, type Db, openDatabase } from '#kernel/db.ts';
import { createPartitions } from '#kernel/partitions.ts';

import { type Benchmark, type Context, interleave } from './benchmark.ts';
import { startDatabases } from './support/child.ts';
import { fillDatabase, type ProductProcess, signIn, startProduct } from './support/product.ts';

const SMALL = 10_000;
const DAY_MS = 86_400_000;
/** Raw price observations are stored for 35 days. */
const PRICE_DAYS = 28;
/** Those of metrics are stored permanently: a first start fetches 400 days. */
const HISTORY_SECONDS = 400 * 86_400;
const MAX_BYTES = 3 * 1024 ** 3;
const WARM_UP_ROUNDS = 5;

const RULE = { name: 'a level', description: '', metric: 'fear_greed', condition: 'above', value: 50, enabled: true };

/** Half of the rows are prices of all coins, spread evenly over four weeks; one statement per partition. */
async function addPrices(db: Db, rows: number, now: Date): Promise<void> {
  const from = new Date(now.getTime() - PRICE_DAYS * DAY_MS);
  await createPartitions(db).ensure(PRICE_OBSERVATIONS, from, now);
  const { coins } = await db
    .selectFrom('coins')
    .select(({ fn }) => fn.countAll<number>().as('coins'))
    .executeTakeFirstOrThrow();
  const stepMs = Math.ceil((PRICE_DAYS * DAY_MS) / Math.ceil(rows / coins));
  for (let day = 0; day < PRICE_DAYS; day++) {
    const startsAt = new Date(from.getTime() + day * DAY_MS);
    const ends = new Date(startsAt.getTime() + DAY_MS - 1);
    await sql`insert into price_observations
        (coin_key, observed_at, source, price, change_24h, volume_24h, market_cap, fetched_at, method)
      select c.key, t, 'coingecko', 100 + c.key, 0.01, 1e6, 1e9, t, 'rest'
      from generate_series(${startsAt.toISOString()}::timestamptz, ${ends.toISOString()}, make_interval(secs => ${stepMs / 1000}::float8)) t,
        (select key from coins order by key) c on conflict do nothing`.execute(db);
  }
}

/** The other half are older values of every metric that has any, spread evenly over its history. */
async function addMetrics(db: Db, rows: number): Promise<void> {
  await sql`with newest as (select distinct on (metric, source) * from metric_observations
      order by metric, source, observed_at desc), size as (select count(*)::int as n from newest)
    insert into metric_observations (metric, source, observed_at, value, fetched_at, method)
    select metric, source, observed_at - step * n * ${HISTORY_SECONDS / rows}::float8 * interval '1 second', value * (1 + 0.05 * sin(step / 700.0)), fetched_at, method
    from generate_series(1, (select ceil(${rows}::float8 / n)::int from size)) step, newest, size
    on conflict do nothing`.execute(db);
}

export async function fillTo(connection: Connection, rows: number): Promise<{ rows: number; bytes: number }> {
  const { db, close } = openDatabase(connection, () => undefined, 1);
  try {
    await addPrices(db, rows / 2, new Date());
    await addMetrics(db, rows / 2);
    await sql`vacuum analyze`.execute(db);
    const count = await sql<{ rows: number }>`select (select count(*) from price_observations)
      + (select count(*) from metric_observations) as rows`.execute(db);
    const size = await sql<{ bytes: number }>`select sum(pg_total_relation_size(oid))::int8 as bytes from pg_class
      where relkind = 'r' and (relname like 'price_observations%' or relname = 'metric_observations')`.execute(db);
    return { rows: Number(count.rows[0]?.rows), bytes: Number(size.rows[0]?.bytes) };
  } finally {
    await close();
  }
}

type RequestOptions = { body?: unknown; pause?: number };
type Instance = { server: ProductProcess; token: string };

/** ms until the response, which is never prepared: each request is for another time. `pause`: ms before each. */
function createTimedRequest(
  { server, token }: Instance,
  path: (round: number) => string,
  { body, pause = 0 }: RequestOptions,
) {
  let round = 0;
  return async (): Promise<number> => {
    round++;
    await sleep(pause);
    const startedAt = performance.now();
    const response = await fetch(`http://127.0.0.1:${server.port}${path(round)}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    const ms = performance.now() - startedAt;
    if (text.includes('"records":[]')) throw new Error(`${path(round)} shows nothing`);
    if (response.status !== 200) throw new Error(`${path(round)} answered ${response.status}: ${text.slice(0, 200)}`);
    return ms;
  };
}

async function run(context: Context): Promise<void> {
  const rows = context.ci ? 1_000_000 : 10_000_000;
  const makeDatabase = await startDatabases(context);
  const instances: Instance[] = [];
  for (const size of [rows, SMALL]) {
    const connection = await makeDatabase(`rows_${size}`);
    await fillDatabase(connection);
    const startedAt = performance.now();
    const filled = await fillTo(connection, size);
    if (filled.bytes > MAX_BYTES) throw new Error(`${filled.bytes} B are more than the disk is given`);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    context.note(
      `${filled.rows} rows in ${seconds} s, ${(filled.bytes / filled.rows).toFixed(0)} B each with their indexes`,
    );
    const server = await startProduct(context, connection);
    instances.push({ server, token: await signIn(server.port) });
  }
  const [large, small] = instances as [Instance, Instance];
  const cursorTime = (round: number) => new Date(Date.now() - DAY_MS - round * 60_000).toISOString();
  const paths: [name: string, path: (round: number) => string, asked?: RequestOptions][] = [
    ['dashboard', () => '/api/dashboard'],
    ['dashboard-at', (round) => `/api/dashboard?asOf=${cursorTime(round)}`],
    ['history', (round) => `/api/history/ONCHAIN?limit=20&to=${cursorTime(round)}`],
    ['chart', () => '/api/coins/bitcoin/candles?range=30d'],
    // The limit is four per second.
    ['preview', () => '/api/alerts/thresholds/preview', { body: RULE, pause: 260 }],
  ];
  for (const [name, path, options = {}] of paths) {
    const [subject, baseline] = [createTimedRequest(large, path, options), createTimedRequest(small, path, options)];
    for (let i = 0; i < WARM_UP_ROUNDS; i++) await interleave(1, subject, baseline);
    const reading = await interleave(context.ci ? 21 : 101, subject, baseline);
    context.emit({
      name: `history.size.${name}`,
      n: rows,
      unit: 'ms',
      subject: reading.subject,
      baseline: reading.baseline,
      ratio: reading.subject / reading.baseline,
      goal: { atMost: 2 },
    });
  }
}

export const historySize: Benchmark = { names: ['history.size'], run };
