import { type Benchmark, type Context, interleave, median } from './benchmark.ts';
import { sleep } from './support/browser.ts';
import { type Child, startChild } from './support/child.ts';
import { hangUp, p99 } from './support/dashboard-p99.ts';
import { type ProductProcess, signIn, startFilledDatabase, startProduct } from './support/product.ts';

const CONNECTIONS = 64;
const WARM_UP_MS = 250;
/** Concurrent sign-ins. */
const FLOOD = 40;

async function cpuPerRequest(client: Child, server: ProductProcess, more: Record<string, string>, ms: number) {
  const headers = { 'accept-encoding': 'br', ...more };
  const target = { port: server.port, path: '/api/dashboard', status: 200, headers, connections: CONNECTIONS };
  await client.call('open', target);
  await client.call('count', WARM_UP_MS);
  const before = await server.call<number>('cpuUs');
  const { requests, wrong } = await client.call<Record<'requests' | 'wrong', number>>('count', ms);
  const used = (await server.call<number>('cpuUs')) - before;
  await client.call('close');
  if (wrong > 0) throw new Error(`${wrong} answers were not 200`);
  return used / requests;
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
  context.cleanUp(hangUp);
  const authorization = `Bearer ${await signIn(server.port)}`;
  const [rounds, ms] = context.ci ? [3, 800] : [5, 1500];

  const own = () => cpuPerRequest(client, server, { authorization }, ms);
  const anonymous = () => cpuPerRequest(client, server, {}, ms);
  await own();
  await anonymous();
  const auth = await interleave(rounds, own, anonymous);
  context.emit({
    name: 'http.dashboard.auth',
    n: CONNECTIONS,
    unit: 'CPU us/request',
    subject: auth.subject,
    baseline: auth.baseline,
    ratio: median(auth.perRound.map((each) => 1 / each)),
    goal: { atLeast: 0.93 },
  });

  const quiet = () => p99(server.port, ms * 2);
  const flooded = async () => {
    await flood.call('start', { port: server.port, atOnce: FLOOD });
    await sleep(WARM_UP_MS);
    const slowest = await p99(server.port, ms * 2);
    const { answered, refused } = await flood.call<{ answered: number; refused: number }>('stop');
    context.note(`flood: ${answered} sign-ins were looked at, ${refused} were turned away as too many`);
    return slowest;
  };
  await quiet();
  const { subject, baseline, ratio } = await interleave(rounds, flooded, quiet);
  context.emit({
    name: 'http.signin.flood',
    n: FLOOD,
    unit: 'ms, p99 of the dashboard',
    subject,
    baseline,
    ratio,
    goal: { atMost: 3 },
  });
}

export const httpAccounts: Benchmark = { names: ['http.dashboard.auth', 'http.signin.flood'], run };
