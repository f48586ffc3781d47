import { type Benchmark, type Context, interleave, median } from './benchmark.ts';
import { type Child, startChild } from './support/child.ts';
import { startFilledDatabase, startProduct } from './support/product.ts';

const CONNECTIONS = 64;
const WARM_UP_MS = 250;

type Target = { server: Child; port: number; path: string; status?: number; headers?: Record<string, string> };
type Load = { cpuUs: number; perSecond: number };

async function load(client: Child, target: Target, ms: number): Promise<Load> {
  const { server, port, path, status = 200, headers = {} } = target;
  await client.call('open', { port, path, status, headers, connections: CONNECTIONS });
  await client.call('count', WARM_UP_MS);
  const before = await server.call<number>('cpuUs');
  const { requests, seconds, wrong } = await client.call<Record<'requests' | 'seconds' | 'wrong', number>>('count', ms);
  const cpuUsed = (await server.call<number>('cpuUs')) - before;
  await client.call('close');
  if (wrong > 0) throw new Error(`${path}: ${wrong} answers were not ${status}`);
  return { cpuUs: cpuUsed / requests, perSecond: requests / seconds };
}

async function run(context: Context): Promise<void> {
  const product = await startProduct(context, await startFilledDatabase(context), { frozen: true });
  const raw = await startChild('raw-http.ts', { port: product.port });
  context.cleanUp(() => raw.stop());
  const client = await startChild('http-load.ts');
  context.cleanUp(() => client.stop());

  const etag = await raw.call<string>('etag');
  const sizes = await raw.call<{ br: number; identity: number }>('sizes');
  context.note(`GET /api/dashboard: ${sizes.identity} B as JSON, ${sizes.br} B as brotli, ${CONNECTIONS} connections`);

  const ours = (headers: Record<string, string>, status = 200): Target => ({
    server: product,
    port: product.port,
    path: '/api/dashboard',
    headers,
    status,
  });
  const rawPort = await raw.call<number>('port');
  const theirs = (path: string, status = 200): Target => ({ server: raw, port: rawPort, path, status });
  const [rounds, ms] = context.ci ? [3, 800] : [5, 1500];

  const cpu = (target: Target) => async () => (await load(client, target, ms)).cpuUs;
  const rate = (target: Target) => async () => (await load(client, target, ms)).perSecond;
  const [oursBr, oursKnown] = [ours({ 'accept-encoding': 'br' }), ours({ 'if-none-match': etag }, 304)];
  for (const target of [oursBr, theirs('/br'), oursKnown, theirs('/304', 304), theirs('/stringify')])
    await rate(target)();

  const br = await interleave(rounds, cpu(oursBr), cpu(theirs('/br')));
  context.emit({
    name: 'http.dashboard.br',
    n: CONNECTIONS,
    unit: 'CPU us/request',
    subject: br.subject,
    baseline: br.baseline,
    ratio: median(br.perRound.map((each) => 1 / each)),
    goal: { atLeast: 0.85 },
  });
  const known = await interleave(rounds, cpu(oursKnown), cpu(theirs('/304', 304)));
  context.emit({
    name: 'http.dashboard.304',
    n: CONNECTIONS,
    unit: 'CPU us/request',
    subject: known.subject,
    baseline: known.baseline,
    ratio: median(known.perRound.map((each) => 1 / each)),
    goal: { atLeast: 0.85 },
  });
  const gain = await interleave(rounds, rate(oursBr), rate(theirs('/stringify')));
  context.emit({
    name: 'http.dashboard.gain',
    n: CONNECTIONS,
    unit: 'requests/s',
    subject: gain.subject,
    baseline: gain.baseline,
    ratio: gain.ratio,
    goal: { atLeast: 8 },
  });
}

export const httpDashboard: Benchmark = {
  names: ['http.dashboard.br', 'http.dashboard.304', 'http.dashboard.gain'],
  run,
};
