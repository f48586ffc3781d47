import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { type ChaosContext, waitUntil } from './context.ts';
import type { Member } from './fleet.ts';
import type { SeededRandom } from './random.ts';

const PROVIDERS = ['coingecko', 'okx', 'coinbase', 'coinpaprika', 'stripe', 'base', 'telegram', 'push'] as const;
const FAULTS = [
  { kind: 'timeout' },
  { kind: 'malformed' },
  { kind: 'rate_limit', retryAfter: 5 },
  { kind: 'slow', delayMs: 4000 },
  { kind: 'truncated', cut: true },
  { kind: 'server_error' },
] as const;

type Injection = { context: ChaosContext; durationMs: number; random: SeededRandom };
/** `on` is the target that no other act may use at the same time. Returns a description of what was done. */
type Injector = {
  durationRangeMs: [fromMs: number, toMs: number];
  target: (context: ChaosContext, random: SeededRandom) => string;
  run: (injection: Injection) => Promise<string>;
};

const memberNamed = (context: ChaosContext, name: string): Member => {
  const match = context.fleet.members.find((each) => each.name === name);
  if (!match) throw new Error(`There is no ${name}`);
  return match;
};
const pickFrom =
  (...names: string[]) =>
  (_: ChaosContext, random: SeededRandom) =>
    random.pick(names);
const ALL_MEMBERS = ['web 1', 'web 2', 'worker 1', 'worker 2'];
const WORKERS = ['worker 1', 'worker 2'];
const postgres = () => 'postgres';

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

async function terminateSessions(context: ChaosContext, filter: string): Promise<number> {
  const rows = await context.cluster.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = 'meridian' and pid <> pg_backend_pid() and ${filter}`,
  );
  return rows.length;
}

async function killAndRestart(context: ChaosContext, name: string, durationMs: number): Promise<void> {
  const victim = memberNamed(context, name);
  await victim.kill();
  await sleep(durationMs);
  await victim.start();
}

async function restartPostgres({ context, durationMs }: Injection, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  await context.cluster.stop(signal);
  await sleep(durationMs);
  await context.cluster.start();
}

/** As many connections as PostgreSQL accepts. */
async function exhaustConnections(context: ChaosContext): Promise<Client[]> {
  const connections: Client[] = [];
  for (let refusals = 0; refusals < 3; ) {
    const clients = await Promise.all(Array.from({ length: 10 }, () => context.cluster.connect().catch(() => null)));
    connections.push(...clients.filter((each) => each !== null));
    if (clients.includes(null)) refusals += 1;
  }
  return connections;
}

export const INJECTORS = {
  'kill-web': {
    durationRangeMs: [0, 3000],
    target: pickFrom('web 1', 'web 2'),
    async run({ context, durationMs, random }) {
      const name = random.pick(['web 1', 'web 2']);
      await killAndRestart(context, name, durationMs);
      return `kill -9 ${name}, started again after ${seconds(durationMs)}`;
    },
  },
  'kill-worker': {
    durationRangeMs: [0, 5000],
    target: pickFrom(...WORKERS),
    async run({ context, durationMs, random }) {
      const name = random.pick(WORKERS);
      await killAndRestart(context, name, durationMs);
      return `kill -9 ${name}, started again after ${seconds(durationMs)}`;
    },
  },
  'kill-in-job': {
    durationRangeMs: [500, 2000],
    target: () => 'worker 1',
    async run({ context, durationMs }) {
      const active = async () => {
        const rows = await context.cluster.query("select name from pgboss.job where state = 'active'");
        return rows.length > 0;
      };
      const wasJobActive = (await waitUntil(6000, active)) !== null;
      await Promise.all(WORKERS.map((name) => killAndRestart(context, name, durationMs)));
      return `kill -9 both workers ${wasJobActive ? 'in the middle of a job' : 'while no job was active'}`;
    },
  },
  stop: {
    durationRangeMs: [4000, 9000],
    target: pickFrom(...ALL_MEMBERS),
    async run({ context, durationMs, random }) {
      const victim = memberNamed(context, random.pick(ALL_MEMBERS));
      victim.freeze();
      await sleep(durationMs);
      victim.resume();
      return `${victim.name} stood still for ${seconds(durationMs)}`;
    },
  },
  zombie: {
    durationRangeMs: [6000, 14_000],
    target: pickFrom(...WORKERS),
    async run({ context, durationMs, random }) {
      const victim = memberNamed(context, random.pick(WORKERS));
      victim.freeze();
      victim.relay.cut();
      await sleep(durationMs);
      victim.resume();
      return `${victim.name} stood still for ${seconds(durationMs)} and came back without its locks`;
    },
  },
  'postgres-fast': {
    durationRangeMs: [0, 2500],
    target: postgres,
    async run(injection) {
      await restartPostgres(injection, 'SIGINT');
      return `PostgreSQL shut down fast, started after ${seconds(injection.durationMs)}`;
    },
  },
  'postgres-immediate': {
    durationRangeMs: [0, 2500],
    target: postgres,
    async run(injection) {
      await restartPostgres(injection, 'SIGQUIT');
      return `PostgreSQL stopped at once, started after ${seconds(injection.durationMs)}`;
    },
  },
  sessions: {
    durationRangeMs: [0, 0],
    target: postgres,
    run: async ({ context }) => `${await terminateSessions(context, 'true')} sessions of PostgreSQL ended`,
  },
  listeners: {
    durationRangeMs: [0, 0],
    target: postgres,
    run: async ({ context }) =>
      `${await terminateSessions(context, "application_name in ('meridian-listen', 'meridian-leader')")} sessions of listeners and owners ended`,
  },
  exhaust: {
    durationRangeMs: [3000, 6000],
    target: postgres,
    async run({ context, durationMs }) {
      const terminated = await terminateSessions(context, 'true');
      const connections = await exhaustConnections(context);
      await sleep(durationMs);
      await Promise.all(connections.map((each) => each.end().catch(() => undefined)));
      return `${connections.length} connections taken for ${seconds(durationMs)} after ${terminated} sessions were ended`;
    },
  },
  disk: {
    durationRangeMs: [3000, 6000],
    target: postgres,
    async run({ context, durationMs }) {
      const { cluster } = context;
      if (cluster.diskNote !== null) return `SKIPPED: the disk cannot be filled here: ${cluster.diskNote}`;
      cluster.fillDisk();
      const fillTimer = setInterval(() => cluster.fillDisk(), 50);
      await sleep(durationMs);
      clearInterval(fillTimer);
      cluster.emptyDisk();
      await cluster.start();
      return `the disk was full for ${seconds(durationMs)}`;
    },
  },
  provider: {
    durationRangeMs: [4000, 9000],
    target: () => 'world',
    async run({ context, durationMs, random }) {
      const rules = [random.pick(PROVIDERS), random.pick(PROVIDERS)].map((provider) => ({
        provider,
        ...random.pick(FAULTS),
      }));
      for (const rule of rules) await context.services.setFault(rule);
      await sleep(durationMs);
      await context.services.clearFaults();
      return `${rules.map(({ provider, kind }) => `${provider} ${kind}`).join(' and ')} for ${seconds(durationMs)}`;
    },
  },
  sockets: {
    durationRangeMs: [0, 0],
    target: () => 'world',
    async run({ context }) {
      await context.services.setFault({ provider: '*', kind: 'drop', once: true });
      return 'every websocket of the exchanges dropped';
    },
  },
  mail: {
    durationRangeMs: [3000, 8000],
    target: () => 'mail',
    async run({ context, durationMs }) {
      await context.services.smtp.down();
      await sleep(durationMs);
      await context.services.smtp.up();
      return `the mail server was away for ${seconds(durationMs)}`;
    },
  },
  clock: {
    durationRangeMs: [5000, 10_000],
    target: pickFrom(...ALL_MEMBERS),
    async run({ context, durationMs, random }) {
      const victim = memberNamed(context, random.pick(ALL_MEMBERS));
      const shiftMs = random.integer(20, 90) * 1000 * random.pick([1, -1]);
      victim.shiftClock(shiftMs);
      await sleep(durationMs);
      victim.shiftClock(0);
      return `the clock of ${victim.name} jumped by ${shiftMs / 1000} s for ${seconds(durationMs)}`;
    },
  },
  cut: {
    durationRangeMs: [4000, 10_000],
    target: pickFrom(...ALL_MEMBERS),
    async run({ context, durationMs, random }) {
      const victim = memberNamed(context, random.pick(ALL_MEMBERS));
      const isPermanent = random.pick([true, false]);
      victim.relay.freeze();
      await sleep(durationMs);
      if (isPermanent) victim.relay.cut();
      victim.relay.resume();
      return `${victim.name} and the database did not hear each other for ${seconds(durationMs)}${isPermanent ? ', then the connections broke' : ''}`;
    },
  },
} satisfies Record<string, Injector>;

/** They close connections, or stop work, while two workers survive. */
export const INTERRUPTING: ReadonlySet<string> = new Set([
  'stop',
  'zombie',
  'postgres-fast',
  'postgres-immediate',
  'sessions',
  'listeners',
  'exhaust',
  'disk',
  'cut',
]);
