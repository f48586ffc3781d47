import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';

import type { Dice } from './dice.ts';
import type { Member } from './fleet.ts';
import { type Night, within } from './night.ts';

const PROVIDERS = ['coingecko', 'okx', 'coinbase', 'coinpaprika', 'stripe', 'base', 'telegram', 'push'] as const;
const FAULTS = [
  { kind: 'timeout' },
  { kind: 'malformed' },
  { kind: 'rate_limit', retryAfter: 5 },
  { kind: 'slow', delayMs: 4000 },
  { kind: 'truncated', cut: true },
  { kind: 'server_error' },
] as const;

type Doing = { night: Night; lastsMs: number; dice: Dice };
/** `on` is the target that no other act may use at the same time. Returns a description of what was done. */
type Way = {
  lasts: [fromMs: number, toMs: number];
  on: (night: Night, dice: Dice) => string;
  run: (doing: Doing) => Promise<string>;
};

const member = (night: Night, name: string): Member => {
  const found = night.fleet.members.find((each) => each.name === name);
  if (!found) throw new Error(`There is no ${name}`);
  return found;
};
const anyOf =
  (...names: string[]) =>
  (_: Night, dice: Dice) =>
    dice.pick(names);
const ALL = ['web 1', 'web 2', 'worker 1', 'worker 2'];
const WORKERS = ['worker 1', 'worker 2'];
const postgres = () => 'postgres';

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

async function endSessions(night: Night, filter: string): Promise<number> {
  const rows = await night.cluster.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = 'meridian' and pid <> pg_backend_pid() and ${filter}`,
  );
  return rows.length;
}

async function killFor(night: Night, name: string, lastsMs: number): Promise<void> {
  const victim = member(night, name);
  await victim.kill();
  await sleep(lastsMs);
  await victim.start();
}

async function restartPostgres({ night, lastsMs }: Doing, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  await night.cluster.stop(signal);
  await sleep(lastsMs);
  await night.cluster.start();
}

/** As many connections as PostgreSQL accepts. */
async function takeConnections(night: Night): Promise<Client[]> {
  const taken: Client[] = [];
  for (let refusals = 0; refusals < 3; ) {
    const clients = await Promise.all(Array.from({ length: 10 }, () => night.cluster.connect().catch(() => null)));
    taken.push(...clients.filter((each) => each !== null));
    if (clients.includes(null)) refusals += 1;
  }
  return taken;
}

export const WAYS = {
  'kill-web': {
    lasts: [0, 3000],
    on: anyOf('web 1', 'web 2'),
    async run({ night, lastsMs, dice }) {
      const name = dice.pick(['web 1', 'web 2']);
      await killFor(night, name, lastsMs);
      return `kill -9 ${name}, started again after ${seconds(lastsMs)}`;
    },
  },
  'kill-worker': {
    lasts: [0, 5000],
    on: anyOf(...WORKERS),
    async run({ night, lastsMs, dice }) {
      const name = dice.pick(WORKERS);
      await killFor(night, name, lastsMs);
      return `kill -9 ${name}, started again after ${seconds(lastsMs)}`;
    },
  },
  'kill-in-job': {
    lasts: [500, 2000],
    on: () => 'worker 1',
    async run({ night, lastsMs }) {
      const active = async () => {
        const rows = await night.cluster.query("select name from pgboss.job where state = 'active'");
        return rows.length > 0;
      };
      const met = (await within(6000, active)) !== null;
      await Promise.all(WORKERS.map((name) => killFor(night, name, lastsMs)));
      return `kill -9 both workers ${met ? 'in the middle of a job' : 'while no job was active'}`;
    },
  },
  stop: {
    lasts: [4000, 9000],
    on: anyOf(...ALL),
    async run({ night, lastsMs, dice }) {
      const victim = member(night, dice.pick(ALL));
      victim.freeze();
      await sleep(lastsMs);
      victim.thaw();
      return `${victim.name} stood still for ${seconds(lastsMs)}`;
    },
  },
  zombie: {
    lasts: [6000, 14_000],
    on: anyOf(...WORKERS),
    async run({ night, lastsMs, dice }) {
      const victim = member(night, dice.pick(WORKERS));
      victim.freeze();
      victim.relay.cut();
      await sleep(lastsMs);
      victim.thaw();
      return `${victim.name} stood still for ${seconds(lastsMs)} and came back without its locks`;
    },
  },
  'postgres-fast': {
    lasts: [0, 2500],
    on: postgres,
    async run(doing) {
      await restartPostgres(doing, 'SIGINT');
      return `PostgreSQL shut down fast, started after ${seconds(doing.lastsMs)}`;
    },
  },
  'postgres-immediate': {
    lasts: [0, 2500],
    on: postgres,
    async run(doing) {
      await restartPostgres(doing, 'SIGQUIT');
      return `PostgreSQL stopped at once, started after ${seconds(doing.lastsMs)}`;
    },
  },
  sessions: {
    lasts: [0, 0],
    on: postgres,
    run: async ({ night }) => `${await endSessions(night, 'true')} sessions of PostgreSQL ended`,
  },
  listeners: {
    lasts: [0, 0],
    on: postgres,
    run: async ({ night }) =>
      `${await endSessions(night, "application_name in ('meridian-listen', 'meridian-leader')")} sessions of listeners and owners ended`,
  },
  exhaust: {
    lasts: [3000, 6000],
    on: postgres,
    async run({ night, lastsMs }) {
      const ended = await endSessions(night, 'true');
      const taken = await takeConnections(night);
      await sleep(lastsMs);
      await Promise.all(taken.map((each) => each.end().catch(() => undefined)));
      return `${taken.length} connections taken for ${seconds(lastsMs)} after ${ended} sessions were ended`;
    },
  },
  disk: {
    lasts: [3000, 6000],
    on: postgres,
    async run({ night, lastsMs }) {
      const { cluster } = night;
      if (cluster.diskNote !== null) return `SKIPPED: the disk cannot be filled here: ${cluster.diskNote}`;
      cluster.fillDisk();
      const filling = setInterval(() => cluster.fillDisk(), 50);
      await sleep(lastsMs);
      clearInterval(filling);
      cluster.emptyDisk();
      await cluster.start();
      return `the disk was full for ${seconds(lastsMs)}`;
    },
  },
  provider: {
    lasts: [4000, 9000],
    on: () => 'world',
    async run({ night, lastsMs, dice }) {
      const rules = [dice.pick(PROVIDERS), dice.pick(PROVIDERS)].map((provider) => ({
        provider,
        ...dice.pick(FAULTS),
      }));
      for (const rule of rules) await night.world.fault(rule);
      await sleep(lastsMs);
      await night.world.clear();
      return `${rules.map(({ provider, kind }) => `${provider} ${kind}`).join(' and ')} for ${seconds(lastsMs)}`;
    },
  },
  sockets: {
    lasts: [0, 0],
    on: () => 'world',
    async run({ night }) {
      await night.world.fault({ provider: '*', kind: 'drop', once: true });
      return 'every websocket of the exchanges dropped';
    },
  },
  mail: {
    lasts: [3000, 8000],
    on: () => 'mail',
    async run({ night, lastsMs }) {
      await night.world.smtp.down();
      await sleep(lastsMs);
      await night.world.smtp.up();
      return `the mail server was away for ${seconds(lastsMs)}`;
    },
  },
  clock: {
    lasts: [5000, 10_000],
    on: anyOf(...ALL),
    async run({ night, lastsMs, dice }) {
      const victim = member(night, dice.pick(ALL));
      const shiftMs = dice.whole(20, 90) * 1000 * dice.pick([1, -1]);
      victim.shiftClock(shiftMs);
      await sleep(lastsMs);
      victim.shiftClock(0);
      return `the clock of ${victim.name} jumped by ${shiftMs / 1000} s for ${seconds(lastsMs)}`;
    },
  },
  cut: {
    lasts: [4000, 10_000],
    on: anyOf(...ALL),
    async run({ night, lastsMs, dice }) {
      const victim = member(night, dice.pick(ALL));
      const forGood = dice.pick([true, false]);
      victim.relay.freeze();
      await sleep(lastsMs);
      if (forGood) victim.relay.cut();
      victim.relay.thaw();
      return `${victim.name} and the database did not hear each other for ${seconds(lastsMs)}${forGood ? ', then the connections broke' : ''}`;
    },
  },
} satisfies Record<string, Way>;

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
