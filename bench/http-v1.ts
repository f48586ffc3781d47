import { type Benchmark, type Context, interleave, median } from './benchmark.ts';
import { type Child, startChild } from './support/child.ts';
import { type ProductProcess, signIn, startFilledDatabase, startProduct } from './support/product.ts';

const CONNECTIONS = 64;
const WARM_UP_MS = 250;
/** More than a benchmark calls, so that every call is counted and leased as with the usual limit. */
const CALLS = '1000000000';

export async function makeKey(port: number, token: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ name: 'Benchmark' }),
  });
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(`Making a key answered ${answer.status}: ${body}`);
  return (JSON.parse(body) as { api_key: string }).api_key;
}

type Read = { path: string; headers: Record<string, string> };

async function cpuPerRequest(client: Child, server: ProductProcess, { path, headers }: Read, ms: number) {
  await client.call('open', { port: server.port, path, status: 200, headers, connections: CONNECTIONS });
  await client.call('count', WARM_UP_MS);
  const before = await server.call<number>('cpuUs');
  const { requests, wrong } = await client.call<Record<'requests' | 'wrong', number>>('count', ms);
  const used = (await server.call<number>('cpuUs')) - before;
  await client.call('close');
  if (wrong > 0) throw new Error(`${path}: ${wrong} answers were not 200`);
  return used / requests;
}

async function run(context: Context): Promise<void> {
  const server = await startProduct(context, await startFilledDatabase(context), {
    env: { API_CALLS_PER_DAY_PRO: CALLS, API_BURST_PER_SECOND: '0' },
  });
  const client = await startChild('http-load.ts');
  context.cleanUp(() => client.stop());
  const key = await makeKey(server.port, await signIn(server.port));
  const [rounds, ms] = context.ci ? [3, 800] : [5, 1500];
  const encoding = { 'accept-encoding': 'br' };
  const keyed = () =>
    cpuPerRequest(client, server, { path: '/api/v1/market-data', headers: { ...encoding, 'x-api-key': key } }, ms);
  const open = () => cpuPerRequest(client, server, { path: '/api/dashboard', headers: encoding }, ms);
  await keyed();
  await open();
  const { subject, baseline, perRound } = await interleave(rounds, keyed, open);
  context.emit({
    name: 'http.v1',
    n: CONNECTIONS,
    unit: 'CPU us/request',
    subject,
    baseline,
    ratio: median(perRound.map((each) => 1 / each)),
    goal: { atLeast: 0.5 },
  });
}

export const httpV1: Benchmark = { names: ['http.v1'], run };
