import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  checkAccounting,
  checkDeliveries,
  checkErrors,
  checkLedger,
  checkPrices,
  checkResourceUsage,
  createFactTracker,
  resourceUsage,
} from './checks.ts';
import { ADMIN } from './clients/accounts.ts';
import { createClients, DAILY_CALL_LIMIT } from './clients/people.ts';
import { BOT_ID } from './clients/watcher.ts';
import { type ChaosContext, type Client, OutcomeCounts, waitUntil } from './context.ts';
import { type Disruption, type DisruptionKind, planDisruptions, runDisruptions } from './disruptions.ts';
import { type ExternalServices, startExternalServices } from './external-services.ts';
import { startFleet } from './fleet.ts';
import { createCluster } from './postgres.ts';
import { healthySources, watchRecovery } from './recovery.ts';
import { openRelay } from './relay.ts';

export type Options = { seed: number; minutes: number; kinds: readonly DisruptionKind[] };
export type Result = { name: string; failures: string[] };
export type Report = {
  results: Result[];
  disruptions: ReadonlyMap<DisruptionKind, number>;
  recoveryMs: ReadonlyMap<string, number>;
  outcomes: OutcomeCounts;
};

const SETTLE_STEPS = 12;
const STEP_MS = 310_000;
const STEP_LIMIT_MS = 15_000;

const environmentFor = (folder: string, services: ExternalServices, origin: string): Record<string, string> => ({
  ...services.urls,
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
  SMTP_URL: services.smtp.url,
  EMAIL_CONFIRMATION: 'off',
  TELEGRAM_BOT_TOKEN: `${BOT_ID}:test`,
  WEBHOOK_ALLOW_LOOPBACK: '1',
  STRIPE_SECRET_KEY: 'sk_test_demo',
  STRIPE_WEBHOOK_SECRET: 'whsec_demo',
  PAY_BASE_TREASURY: '0x7e57000000000000000000000000000000dEB057',
  PAY_POLL_SECONDS: '2',
  API_CALLS_PER_DAY_PRO: String(DAILY_CALL_LIMIT),
});

type CleanUpSteps = (() => Promise<void> | void)[];

async function startContext(
  seed: number,
  log: (line: string) => void,
  cleanUps: CleanUpSteps,
): Promise<ChaosContext & { env: Record<string, string> }> {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-chaos-'));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  const services = await startExternalServices(seed);
  cleanUps.push(services.close);
  const cluster = await createCluster(folder);
  cleanUps.push(cluster.close);
  let ports: () => number[] = () => [];
  const balancer = await openRelay(() => ports());
  cleanUps.push(balancer.close);
  const origin = `http://127.0.0.1:${balancer.port}`;
  const env = environmentFor(folder, services, origin);
  const fleet = await startFleet(folder, cluster, () => env);
  cleanUps.push(fleet.close);
  ports = () => fleet.webs.filter((web) => web.isServing()).flatMap((web) => web.port() ?? []);
  log(cluster.label);
  if (cluster.diskNote !== null) log(`SKIPPED: a small disk cannot be mounted here: ${cluster.diskNote}`);
  const [first, ...rest] = fleet.members;
  await first?.start();
  await Promise.all(rest.map((member) => member.start()));
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
async function expireWaits(context: ChaosContext): Promise<void> {
  await context.services.advance(STEP_MS);
  const moveCloser = (column: string) => `${column} = ${column} - interval '${STEP_MS} ms'`;
  await context.cluster.query(
    `update notification_deliveries set ${moveCloser('due_at')}, ${moveCloser('locked_until')} where state = 'due'`,
  );
  await context.cluster.query(`update mail_outbox set ${moveCloser('next_at')} where state = 'waiting'`);
  await context.cluster.query("select pg_notify('notifications', ''), pg_notify('mail_posted', '')");
}

async function settle(context: ChaosContext): Promise<string[]> {
  context.endedAt = new Date();
  const findUnsettled = async () => {
    const rows = await context.cluster.query<{ what: string }>(
      `select 'delivery ' || id || ' by ' || channel || ' ' || state || ' ' || coalesce(note, '') as what from notification_deliveries where state in ('due', 'handed')
       union all select 'mail ' || id || ' ' || state || ' ' || coalesce(note, '') from mail_outbox where state = 'waiting'
       union all select 'deposit ' || tx from usdc_deposits where state = 'seen'
       union all select 'news ' || id from notification_events where fanned_at is null`,
    );
    return rows.map(({ what }) => what);
  };
  for (let step = 1; step <= SETTLE_STEPS; step += 1) {
    await expireWaits(context);
    const settledMs = await waitUntil(STEP_LIMIT_MS, async () => (await findUnsettled()).length === 0);
    if (settledMs !== null) return [];
    const unsettled = await findUnsettled();
    context.log(`waiting times passed ${step} times, still open: ${unsettled.length}, ${unsettled[0] ?? 'nothing'}`);
  }
  return (await findUnsettled()).map((what) => `still open at the end: ${what}`);
}

async function disruptAndRecover(
  context: ChaosContext,
  disruptions: readonly Disruption[],
  clients: readonly Client[],
  signal: AbortSignal,
) {
  const factTracker = createFactTracker(context);
  const [activeEnd, runEnd] = [new AbortController(), new AbortController()];
  const abortedBy = (controller: AbortController) => AbortSignal.any([signal, controller.signal]);
  const [activeSignal, runSignal] = [abortedBy(activeEnd), abortedBy(runEnd)];
  const running = clients.map((client) =>
    client
      .run(client.runsUntilEnd ? runSignal : activeSignal)
      .catch((error: unknown) => [`${client.name}: ${String(error)}`]),
  );
  const factTimer = setInterval(() => void factTracker.recordSeen(), 5000);
  const sources = await healthySources(context);
  const usageBefore = resourceUsage(context);
  const disruptionCounts = await runDisruptions(context, disruptions, signal);
  context.log('the last act is over');
  const recovery = await watchRecovery(context, sources);
  await sleep(5000, undefined, { signal }).catch(() => undefined);
  activeEnd.abort();
  const activeRuns = running.filter((_, i) => !clients[i]?.runsUntilEnd);
  await Promise.all(activeRuns);
  for (const client of clients) await client.afterRecovery?.();
  const unsettled = await settle(context);
  runEnd.abort();
  clearInterval(factTimer);
  const clientErrors = (await Promise.all(running)).flatMap((each) => each ?? []);
  return { factTracker, usageBefore, disruptionCounts, recovery, unsettled, clientErrors };
}

async function runPhases(
  { seed, minutes, kinds }: Options,
  log: (line: string) => void,
  signal: AbortSignal,
  cleanUps: CleanUpSteps,
): Promise<Report> {
  const context = await startContext(seed, log, cleanUps);
  const { clients, watchers } = await createClients(context);
  for (const client of clients) await client.prepare?.();
  context.startedAt = new Date();
  log(`${clients.length} clients act`);
  const disruptions = planDisruptions(seed, minutes, kinds);
  const { factTracker, usageBefore, disruptionCounts, recovery, unsettled, clientErrors } = await disruptAndRecover(
    context,
    disruptions,
    clients,
    signal,
  );
  const results: Result[] = [
    { name: 'everything recovers without intervention', failures: recovery.failures },
    { name: 'no process exits unexpectedly', failures: context.fleet.crashes },
    { name: 'everything that was begun comes to its end', failures: [...unsettled, ...clientErrors] },
    { name: 'deliveries arrive', failures: await checkDeliveries(context, watchers) },
    { name: 'the books balance', failures: await checkAccounting(context) },
    { name: 'facts stay', failures: await factTracker.check() },
    { name: 'the ledger verifies', failures: await checkLedger(context, context.env) },
    { name: 'prices are those of the market', failures: await checkPrices(context) },
    { name: 'the error log holds no bug', failures: await checkErrors(context) },
    { name: 'memory and open files are bounded', failures: checkResourceUsage(context, usageBefore) },
  ];
  for (const client of clients)
    results.push({
      name: client.name,
      failures: await client.check().catch((error: unknown) => [`could not be checked: ${String(error)}`]),
    });
  for (const { account, counts } of watchers) {
    const { resets, returns, streamed } = counts();
    log(`page of ${account.email}: ${streamed} alerts, came back ${returns} times, read again ${resets} times`);
  }
  const refused = context.fleet.refusedStarts();
  if (refused > 0) log(`starts refused while the database was away: ${refused}`);
  return { results, disruptions: disruptionCounts, recoveryMs: recovery.durations, outcomes: context.outcomes };
}

/** One run from its start to the checks afterwards. Everything started is stopped, also on interruption. */
export async function run(options: Options, log: (line: string) => void, signal: AbortSignal): Promise<Report> {
  const cleanUps: CleanUpSteps = [];
  const interrupted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('interrupted')), { once: true });
  });
  try {
    return await Promise.race([runPhases(options, log, signal, cleanUps), interrupted]);
  } finally {
    for (const step of cleanUps.toReversed())
      await Promise.resolve(step()).catch((error: unknown) => log(`clearing up: ${String(error)}`));
  }
}
