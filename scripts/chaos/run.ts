import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  checkBooks,
  checkErrors,
  checkLedger,
  checkPrices,
  checkSinks,
  checkWeights,
  factKeeper,
  weights,
} from './checks.ts';
import { ADMIN } from './clients/accounts.ts';
import { CALLS_A_DAY, makePeople } from './clients/people.ts';
import { BOT } from './clients/watcher.ts';
import { type ChaosContext, type Client, OutcomeCounts, waitUntil } from './context.ts';
import { type Disruption, type DisruptionKind, planDisruptions, runDisruptions } from './disruptions.ts';
import { type ExternalServices, startExternalServices } from './external-services.ts';
import { openFleet } from './fleet.ts';
import { makeCluster } from './postgres.ts';
import { healthySources, watchRecovery } from './recovery.ts';
import { openRelay } from './relay.ts';

export type Options = { seed: number; minutes: number; kinds: readonly DisruptionKind[] };
export type Result = { name: string; lost: string[] };
export type Report = {
  results: Result[];
  acts: ReadonlyMap<DisruptionKind, number>;
  took: ReadonlyMap<string, number>;
  book: OutcomeCounts;
};

const SETTLE_STEPS = 12;
const STEP_MS = 310_000;
const STEP_LIMIT_MS = 15_000;

const settingsOf = (folder: string, world: ExternalServices, origin: string): Record<string, string> => ({
  ...world.urls,
  DATA_DIR: `${folder}/data`,
  EXPORTS_DIR: `${folder}/exports`,
  DATA_MODE: 'live',
  LOG_LEVEL: 'warn',
  SECRET_KEY: 'the secret key of a night that is long enough',
  PUBLIC_URL: origin,
  TRUST_PROXY: '1',
  METRIC_PAST_DAYS: '1',
  COIN_LIMIT: '20',
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
  SMTP_URL: world.smtp.url,
  EMAIL_CONFIRMATION: 'off',
  TELEGRAM_BOT_TOKEN: `${BOT}:test`,
  WEBHOOK_ALLOW_LOOPBACK: '1',
  STRIPE_SECRET_KEY: 'sk_test_demo',
  STRIPE_WEBHOOK_SECRET: 'whsec_demo',
  PAY_BASE_TREASURY: '0x7e57000000000000000000000000000000dEB057',
  PAY_POLL_SECONDS: '2',
  API_CALLS_PER_DAY_PRO: String(CALLS_A_DAY),
});

type CleanUps = (() => Promise<void> | void)[];

async function openNight(
  seed: number,
  log: (line: string) => void,
  cleanUps: CleanUps,
): Promise<ChaosContext & { env: Record<string, string> }> {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-chaos-'));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  const services = await startExternalServices(seed);
  cleanUps.push(services.close);
  const cluster = await makeCluster(folder);
  cleanUps.push(cluster.close);
  let ports: () => number[] = () => [];
  const balancer = await openRelay(() => ports());
  cleanUps.push(balancer.close);
  const origin = `http://127.0.0.1:${balancer.port}`;
  const env = settingsOf(folder, services, origin);
  const fleet = await openFleet(folder, cluster, () => env);
  cleanUps.push(fleet.close);
  ports = () => fleet.webs.filter((web) => web.isUp()).flatMap((web) => web.port() ?? []);
  log(cluster.label);
  if (cluster.diskNote !== null) log(`SKIPPED: a small disk cannot be mounted here: ${cluster.diskNote}`);
  const [first, ...others] = fleet.members;
  await first?.start();
  await Promise.all(others.map((member) => member.start()));
  log('2 web and 2 worker processes serve');
  return {
    seed,
    folder,
    cluster,
    fleet,
    services,
    origin,
    startedAt: new Date(),
    endedAt: null,
    interruptions: 0,
    outcomes: new OutcomeCounts(),
    log,
    env,
  };
}

/**
 * Expires leases, retry delays and blocks at once, and wakes the processes waiting for notifications. Processes use the
 * clock of the database, which cannot be moved, so pending times are moved closer instead.
 */
async function pass(context: ChaosContext): Promise<void> {
  await context.services.advance(STEP_MS);
  const sooner = (column: string) => `${column} = ${column} - interval '${STEP_MS} ms'`;
  await context.cluster.query(
    `update notification_deliveries set ${sooner('due_at')}, ${sooner('locked_until')} where state = 'due'`,
  );
  await context.cluster.query(`update mail_outbox set ${sooner('next_at')} where state = 'waiting'`);
  await context.cluster.query("select pg_notify('notifications', ''), pg_notify('mail_posted', '')");
}

async function settle(context: ChaosContext): Promise<string[]> {
  context.endedAt = new Date();
  const unsettled = async () => {
    const rows = await context.cluster.query<{ what: string }>(
      `select 'delivery ' || id || ' by ' || channel || ' ' || state || ' ' || coalesce(note, '') as what from notification_deliveries where state in ('due', 'handed')
       union all select 'mail ' || id || ' ' || state || ' ' || coalesce(note, '') from mail_outbox where state = 'waiting'
       union all select 'deposit ' || tx from usdc_deposits where state = 'seen'
       union all select 'news ' || id from notification_events where fanned_at is null`,
    );
    return rows.map(({ what }) => what);
  };
  for (let step = 1; step <= SETTLE_STEPS; step += 1) {
    await pass(context);
    const took = await waitUntil(STEP_LIMIT_MS, async () => (await unsettled()).length === 0);
    if (took !== null) return [];
    const open = await unsettled();
    context.log(`waiting times passed ${step} times, still open: ${open.length}, ${open[0] ?? 'nothing'}`);
  }
  return (await unsettled()).map((what) => `still open at the end: ${what}`);
}

async function actAndRecover(
  context: ChaosContext,
  acts: readonly Disruption[],
  clients: readonly Client[],
  signal: AbortSignal,
) {
  const facts = factKeeper(context);
  const [evening, morning] = [new AbortController(), new AbortController()];
  const until = (over: AbortController) => AbortSignal.any([signal, over.signal]);
  const [acting, watching] = [until(evening), until(morning)];
  const running = clients.map((client) =>
    client.run(client.runsUntilEnd ? watching : acting).catch((error: unknown) => [`${client.name}: ${String(error)}`]),
  );
  const keeping = setInterval(() => void facts.remember(), 5000);
  const sources = await healthySources(context);
  const before = weights(context);
  const played = await runDisruptions(context, acts, signal);
  context.log('the last act is over');
  const recovery = await watchRecovery(context, sources);
  await sleep(5000, undefined, { signal }).catch(() => undefined);
  evening.abort();
  const active = running.filter((_, i) => !clients[i]?.runsUntilEnd);
  await Promise.all(active);
  for (const client of clients) await client.afterRecovery?.();
  const open = await settle(context);
  morning.abort();
  clearInterval(keeping);
  const broken = (await Promise.all(running)).flatMap((each) => each ?? []);
  return { facts, before, played, recovery, open, broken };
}

async function spend(
  { seed, minutes, kinds }: Options,
  tell: (line: string) => void,
  signal: AbortSignal,
  cleanUps: CleanUps,
): Promise<Report> {
  const context = await openNight(seed, tell, cleanUps);
  const { clients, watchers } = await makePeople(context);
  for (const client of clients) await client.prepare?.();
  context.startedAt = new Date();
  tell(`${clients.length} clients act`);
  const acts = planDisruptions(seed, minutes, kinds);
  const { facts, before, played, recovery, open, broken } = await actAndRecover(context, acts, clients, signal);
  const results: Result[] = [
    { name: 'everything recovers without hands', lost: recovery.failures },
    { name: 'no process ends by itself', lost: context.fleet.crashes },
    { name: 'everything that was begun comes to its end', lost: [...open, ...broken] },
    { name: 'deliveries arrive', lost: await checkSinks(context, watchers) },
    { name: 'the books balance', lost: await checkBooks(context) },
    { name: 'facts stay', lost: await facts.check() },
    { name: 'the ledger verifies', lost: await checkLedger(context, context.env) },
    { name: 'prices are those of the market', lost: await checkPrices(context) },
    { name: 'the error log holds no bug', lost: await checkErrors(context) },
    { name: 'memory and open files are bounded', lost: checkWeights(context, before) },
  ];
  for (const client of clients)
    results.push({
      name: client.name,
      lost: await client.check().catch((error: unknown) => [`could not be checked: ${String(error)}`]),
    });
  for (const { account, counts } of watchers) {
    const { resets, returns, streamed } = counts();
    tell(`page of ${account.email}: ${streamed} alerts, came back ${returns} times, read again ${resets} times`);
  }
  const refused = context.fleet.refusedStarts();
  if (refused > 0) tell(`starts refused while the database was away: ${refused}`);
  return { results, acts: played, took: recovery.durations, book: context.outcomes };
}

/** One night from its start to the checks afterwards. Everything started is stopped, also on interruption. */
export async function run(options: Options, tell: (line: string) => void, signal: AbortSignal): Promise<Report> {
  const cleanUps: CleanUps = [];
  const interrupted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('interrupted')), { once: true });
  });
  try {
    return await Promise.race([spend(options, tell, signal, cleanUps), interrupted]);
  } finally {
    for (const step of cleanUps.toReversed())
      await Promise.resolve(step()).catch((error: unknown) => tell(`clearing up: ${String(error)}`));
  }
}
