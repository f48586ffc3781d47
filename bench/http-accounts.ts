import { type Benchmark, type Context, interleave, median } from './benchmark.ts';
import { sleep } from './support/browser.ts';
import { type Child, startChild } from './support/child.ts';
import { closeConnections, measureP99 } from './support/dashboard-p99.ts';
import { type ProductProcess, signIn, startFilledDatabase, startProduct } from './support/product.ts';

const CONNECTIONS = 64;
const WARM_UP_MS = 250;
/** Concurrent sign-ins. */
const FLOOD_CONNECTIONS = 40;

async function cpuPerRequest(client: Child, server: ProductProcess, extraHeaders: Record<string, string>, ms: number) {
  const headers = { 'accept-encoding': 'br', ...extraHeaders };
  const target = { port: server.port, path: '/api/dashboard', status: 200, headers, connections: CONNECTIONS };
  await client.call('open', target);
  await client.call('count', WARM_UP_MS);
  const before = await server.call<number>('cpuUs');
  const { requests, wrong: wrongStatuses } = await client.call<Record<'requests' | 'wrong', number>>('count', ms);
  const cpuUsed = (await server.call<number>('cpuUs')) - before;
  await client.call('close');
  if (wrongStatuses > 0) throw new Error(`${wrongStatuses} answers were not 200`);
  return cpuUsed / requests;
}

async function run(context: Context): Promise<void> {
  const server = await startProduct(context, await startFilledDatabase(context), {
    frozen: true,
    env: { TRUST_PROXY: '1' },
  });
  const client = await startChild('http-load.ts');
  context.cleanUp(() => client.stop());
  const flood = await startChild('sign-in-flood.ts');
  context.cleanUp(() => flood.stop());
  context.cleanUp(closeConnections);
  const authorization = `Bearer ${await signIn(server.port)}`;
  const [rounds, ms] = context.ci ? [3, 800] : [5, 1500];

  const authenticated = () => cpuPerRequest(client, server, { authorization }, ms);
  const anonymous = () => cpuPerRequest(client, server, {}, ms);
  await authenticated();
  await anonymous();
  const auth = await interleave(rounds, authenticated, anonymous);
  context.emit({
    name: 'http.dashboard.auth',
    n: CONNECTIONS,
    unit: 'CPU us/request',
    subject: auth.subject,
    baseline: auth.baseline,
    ratio: median(auth.perRound.map((each) => 1 / each)),
    goal: { atLeast: 0.93 },
  });

  const idleP99 = () => measureP99(server.port, ms * 2);
  const p99UnderFlood = async () => {
    await flood.call('start', { port: server.port, atOnce: FLOOD_CONNECTIONS });
    await sleep(WARM_UP_MS);
    const p99Ms = await measureP99(server.port, ms * 2);
    const { answered: succeeded, refused } = await flood.call<{ answered: number; refused: number }>('stop');
    context.note(`flood: ${succeeded} sign-ins were looked at, ${refused} were turned away as too many`);
    return p99Ms;
  };
  await idleP99();
  const { subject, baseline, ratio } = await interleave(rounds, p99UnderFlood, idleP99);
  context.emit({
    name: 'http.signin.flood',
    n: FLOOD_CONNECTIONS,
    unit: 'ms, p99 of the dashboard',
    subject,
    baseline,
    ratio,
    goal: { atMost: 3 },
  });
}

export const httpAccounts: Benchmark = { names: ['http.dashboard.auth', 'http.signin.flood'], run };
