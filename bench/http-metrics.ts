import { type Benchmark, type Context, interleave, median } from './benchmark.ts';
import { startChild } from './support/child.ts';
import { type ProductProcess, startFilledDatabase, startProduct } from './support/product.ts';

const CONNECTIONS = 64;
const WARM_UP_MS = 250;
const PATH = '/api/dashboard';

/** The cost of metrics on the most frequent request: the same product with and without them, alternately. */
async function run(context: Context): Promise<void> {
  const connection = await startFilledDatabase(context);
  const counted = await startProduct(context, connection, { frozen: true });
  const uncounted = await startProduct(context, connection, { frozen: true, watchRequests: false });
  const client = await startChild('http-load.ts');
  context.cleanUp(() => client.stop());
  const [rounds, ms] = context.ci ? [5, 800] : [9, 1500];

  const cpu = (product: ProductProcess) => async () => {
    const headers = { 'accept-encoding': 'br' };
    await client.call('open', { port: product.port, path: PATH, status: 200, headers, connections: CONNECTIONS });
    await client.call('count', WARM_UP_MS);
    const before = await product.call<number>('cpuUs');
    const { requests, wrong } = await client.call<Record<'requests' | 'wrong', number>>('count', ms);
    const used = (await product.call<number>('cpuUs')) - before;
    await client.call('close');
    if (wrong > 0) throw new Error(`${PATH}: ${wrong} answers were not 200`);
    return used / requests;
  };
  for (const product of [counted, uncounted]) await cpu(product)();
  const text = await (await fetch(`http://127.0.0.1:${counted.port}/metrics`)).text();
  const answers = /meridian_http_requests_total\{method="GET",route="\/api\/dashboard",status="2xx"\} (\d+)/.exec(text);
  if (!(Number(answers?.[1]) > 100)) throw new Error('The requests were not counted');

  const { subject, baseline, perRound } = await interleave(rounds, cpu(counted), cpu(uncounted));
  context.emit({
    name: 'http.metrics',
    n: CONNECTIONS,
    unit: 'CPU us/request',
    subject,
    baseline,
    ratio: median(perRound.map((each) => 1 / each)),
    goal: { atLeast: 0.97 },
  });
}

export const httpMetrics: Benchmark = { names: ['http.metrics'], run };
