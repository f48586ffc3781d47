import { availableParallelism } from 'node:os';

import { type Benchmark, type Context, interleave, median } from './benchmark.ts';
import { type Child, startChild } from './support/child.ts';
import { type ProductProcess, startFilledDatabase, startProduct } from './support/product.ts';

const CONNECTIONS = 64;
const WARM_UP_MS = 250;

type Load = { perSecond: number; serverUs: number; clientUs: number; cores: number };
type Counted = Record<'requests' | 'seconds' | 'wrong', number>;

/** The same total number of connections, spread over the servers; each server has its own client process. */
async function load(pairs: { server: ProductProcess; client: Child }[], ms: number): Promise<Load> {
  const connections = CONNECTIONS / pairs.length;
  const headers = { 'accept-encoding': 'br' };
  const cpu = async (of: 'server' | 'client') =>
    (await Promise.all(pairs.map((pair) => pair[of].call<number>('cpuUs')))).reduce((sum, us) => sum + us, 0);
  for (const { server, client } of pairs)
    await client.call('open', { port: server.port, path: '/api/dashboard', status: 200, headers, connections });
  await Promise.all(pairs.map(({ client }) => client.call('count', WARM_UP_MS)));
  const before = { server: await cpu('server'), client: await cpu('client') };
  const counted = await Promise.all(pairs.map(({ client }) => client.call<Counted>('count', ms)));
  const [server, client] = [(await cpu('server')) - before.server, (await cpu('client')) - before.client];
  for (const pair of pairs) await pair.client.call('close');
  if (counted.some(({ wrong }) => wrong > 0)) throw new Error('Some answers were not 200');
  const requests = counted.reduce((sum, each) => sum + each.requests, 0);
  const seconds = Math.max(...counted.map((each) => each.seconds));
  return {
    perSecond: requests / seconds,
    serverUs: server / requests,
    clientUs: client / requests,
    cores: (server + client) / 1e6 / seconds,
  };
}

/**
 * On two cores the clients take a share of the CPU, so requests per second alone would measure the clients. The measure
 * is the CPU cost per request when both processes are busy: with any contention or shared state between them, a request
 * would cost more than with one process.
 */
async function run(context: Context): Promise<void> {
  const connection = await startFilledDatabase(context);
  const pairs: { server: ProductProcess; client: Child }[] = [];
  for (let i = 0; i < 2; i++) {
    const server = await startProduct(context, connection, { frozen: true });
    const client = await startChild('http-load.ts');
    context.cleanUp(() => client.stop());
    pairs.push({ server, client });
  }
  const [rounds, ms] = context.ci ? [3, 1000] : [7, 3000];
  const runs = { one: [] as Load[], two: [] as Load[] };
  const measure = (which: 'one' | 'two') => async () => {
    const taken = await load(which === 'one' ? pairs.slice(0, 1) : pairs, ms);
    runs[which].push(taken);
    return taken.perSecond;
  };
  await measure('two')();
  runs.two.length = 0;
  const rate = await interleave(rounds, measure('two'), measure('one'));
  const middle = (which: 'one' | 'two', key: keyof Load) => median(runs[which].map((each) => each[key]));
  const capacity = (which: 'one' | 'two', processes: number) => (processes * 1e6) / middle(which, 'serverUs');
  for (const which of ['one', 'two'] as const) {
    const [server, client] = [middle(which, 'serverUs'), middle(which, 'clientUs')];
    const share = Math.round((100 * client) / (server + client));
    context.note(
      `${which}: ${server.toFixed(1)} µs of a server and ${client.toFixed(1)} of who asks (${share}%) a request, ${middle(which, 'cores').toFixed(2)} of ${availableParallelism()} cores in use`,
    );
  }
  context.emit({
    name: 'http.two-processes',
    n: CONNECTIONS,
    unit: 'requests/s by their CPU',
    subject: capacity('two', 2),
    baseline: capacity('one', 1),
    ratio: capacity('two', 2) / capacity('one', 1),
    goal: { atLeast: 1.6 },
  });
  context.emit({
    name: 'http.two-processes.rate',
    n: CONNECTIONS,
    unit: 'requests/s, who asks on the same cores',
    subject: rate.subject,
    baseline: rate.baseline,
    ratio: rate.ratio,
  });
}

export const httpTwoProcesses: Benchmark = { names: ['http.two-processes'], run };
