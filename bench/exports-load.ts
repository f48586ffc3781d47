import { sql } from 'kysely';
import { type Connection, openDatabase } from '#kernel/db.ts';

import { type Benchmark, type Context, interleave } from './benchmark.ts';
import { sleep } from './support/browser.ts';
import { createTempFolder } from './support/child.ts';
import { closeConnections, measureP99 } from './support/dashboard-p99.ts';
import { startFilledDatabase, startProduct } from './support/product.ts';

export async function addRows(connection: Connection, rows: number): Promise<void> {
  const { db, close } = openDatabase(connection, () => undefined, 1);
  await sql`insert into metric_observations (metric, source, observed_at, value, fetched_at, method)
    select 'bench.' || n % 20, 'bench', now() - n * interval '1 second', n / 7.0, now(), 'demo' from generate_series(1, ${rows}::int) n`.execute(
    db,
  );
  await sql`analyze metric_observations`.execute(db);
  await close();
}

async function run(context: Context): Promise<void> {
  const rows = context.ci ? 200_000 : 1_000_000;
  const connection = await startFilledDatabase(context);
  const server = await startProduct(context, connection, {
    frozen: true,
    env: { EXPORTS_DIR: createTempFolder(context) },
  });
  await addRows(connection, rows);
  context.cleanUp(closeConnections);
  const [rounds, ms] = context.ci ? [3, 1600] : [5, 4000];
  const idleP99 = () => measureP99(server.port, ms);
  const p99UnderExport = async () => {
    await server.call('startExporting');
    while ((await server.call<number>('exportsUnderWay')) === 0) await sleep(20);
    const p99Ms = await measureP99(server.port, ms);
    const exportCount = await server.call<number>('stopExporting');
    context.note(`${exportCount} exports of ${rows} rows ended while the dashboard was asked`);
    return p99Ms;
  };
  await idleP99();
  const { subject, baseline, ratio } = await interleave(rounds, p99UnderExport, idleP99);
  context.emit({
    name: 'http.p99.under_export',
    n: rows,
    unit: 'ms, p99 of the dashboard',
    subject,
    baseline,
    ratio,
    goal: { atMost: 3 },
  });
}

export const exportsLoad: Benchmark = { names: ['http.p99.under_export'], run };
