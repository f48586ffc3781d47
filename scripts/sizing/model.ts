import { readFileSync } from 'node:fs';

import { type Constants, constantsOf, readMeasured } from './measured.ts';

/** `viewers` have a page open at the busiest time. */
export type Load = { viewers: number; rules: number; rowsPerMonth: number };

export type Plan = {
  webProcesses: number;
  webCores: number;
  webGb: number;
  /** Seconds until a new owner of the rules evaluates again, with one shard. */
  ownerSeconds: number;
  shards: number;
  workers: number;
  workerCores: number;
  workerGb: number;
  /** Seconds until all users are notified after the worst minute: all channels, and Telegram alone. */
  stormSeconds: number;
  telegramSeconds: number;
  databaseCores: number;
  databaseGb: number;
  connections: number;
  diskGb: number;
  /** Outbound gigabits per second. */
  gigabits: number;
  /** The part of it that is live frames. */
  frameGigabits: number;
  requestsPerSecond: number;
  machines: number;
};

const SECONDS_A_DAY = 86_400;
const OWNER_SECONDS = 10;
/** The database caches the newest months, which are the ones read. */
const WARM_SHARE = 0.1;
/** Headroom for the WAL, for partitions being built, and for growth until an operator reacts. */
const DISK_RESERVE = 1.5;
const DATABASE_BASE_GB = 2;

/** Resources for a load. Every figure is nondecreasing in each part of the load. */
export function plan({ viewers, rules, rowsPerMonth }: Load, c: Constants): Plan {
  const requestsPerSecond = (viewers * c.requestsPerViewerPerMinute) / 60;
  const signInsPerSecond = (viewers * c.signInsPerViewerPerHour) / 3600;
  const framesPerSecond = viewers * c.framesPerSecond;

  const webCpu =
    (requestsPerSecond * c.dashboardCpuUs + framesPerSecond * c.streamCpuUs) / 1e6 +
    (signInsPerSecond * c.signInCpuMs) / 1000;
  const webCores = webCpu / c.use;
  // JavaScript runs in one thread, so a process uses about one core.
  const webProcesses = Math.max(1, Math.ceil(viewers / c.streamsPerProcess), Math.ceil(webCores));
  const webGb = (webProcesses * c.processMb) / 1024 + (viewers * c.streamKb) / 1024 ** 2;

  const ownerSeconds = (rules * c.ruleLoadUs) / 1e6;
  const firesPerMinute = rules * c.stormShare;
  const firing = (firesPerMinute / 60) * (c.fireMs / 1000);
  const shards = Math.max(1, Math.ceil(ownerSeconds / OWNER_SECONDS), Math.ceil(firing / c.use));
  const judging = (c.valuesPerSecond * c.tickUs) / 1e6;
  const deliveries = firesPerMinute * c.channelsPerFire;
  const perDay = rules * c.firesPerRulePerDay * c.channelsPerFire;
  const delivering = perDay / SECONDS_A_DAY / c.sendRowsPerSecond;
  const workerCores = (judging + firing + delivering) / c.use;
  const workers = Math.max(1, shards, Math.ceil(workerCores));
  const workerGb = (workers * c.processMb) / 1024 + (rules * c.ruleBytes) / 1024 ** 3;

  const diskGb = ((rowsPerMonth * c.monthsKept * c.rowBytes) / 1024 ** 3) * DISK_RESERVE;
  const reading = (requestsPerSecond * c.historyShare * c.historyMs) / 1000;
  const databaseCores = (reading + firing + delivering) / c.use;
  const databaseGb = DATABASE_BASE_GB + (diskGb / DISK_RESERVE) * WARM_SHARE;

  const frameGigabits = (framesPerSecond * c.frameBytes * 8) / 1e9;
  const gigabits = frameGigabits + (requestsPerSecond * c.dashboardBytes * 8) / 1e9;
  const parts = { cores: webCores + workerCores + databaseCores, gb: webGb + workerGb + databaseGb };
  return {
    webProcesses,
    webCores,
    webGb,
    ownerSeconds,
    shards,
    workers,
    workerCores,
    workerGb,
    stormSeconds: deliveries / c.fanRowsPerSecond + deliveries / c.sendRowsPerSecond,
    telegramSeconds: (deliveries * c.telegramShare) / c.telegramPerSecond,
    databaseCores,
    databaseGb,
    connections: (webProcesses + workers) * c.connectionsPerProcess,
    diskGb,
    frameGigabits,
    gigabits,
    requestsPerSecond,
    machines: Math.max(
      1,
      Math.ceil(parts.cores / c.machineCores),
      Math.ceil(parts.gb / c.machineGb),
      Math.ceil(gigabits / (c.machineGigabits * c.use)),
    ),
  };
}

/** From a thousandth of the requested load to all of it. */
export function stagesTo(load: Load): Load[] {
  return [1000, 100, 10, 1].map((part) => ({
    viewers: Math.ceil(load.viewers / part),
    rules: Math.ceil(load.rules / part),
    rowsPerMonth: Math.ceil(load.rowsPerMonth / part),
  }));
}

/** What a stage cannot handle with the resources of the previous one, worst first: the next steps. */
export function nextSteps(load: Load, c: Constants): string[] {
  const p = plan(load, c);
  const steps: [isDue: boolean, what: string][] = [
    [p.machines > 1, `${p.machines} machines`],
    [p.webProcesses > 1, `${p.webProcesses} web processes behind a proxy`],
    [p.connections > c.connectionsOfDatabase, `PgBouncer in front of ${p.connections} connections`],
    [p.databaseCores > 1, `a replica for history and exports (${p.databaseCores.toFixed(1)} cores of reads)`],
    [p.shards > 1, `ALERT_SHARDS=${p.shards}`],
    [p.gigabits > 1, `a CDN for pages and files, and ${p.gigabits.toFixed(1)} Gbit/s for the streams`],
    [p.telegramSeconds > 600, `Telegram needs ${Math.ceil(p.telegramSeconds / 60)} minutes for the busiest minute`],
    [p.diskGb > 500, `${Math.ceil(p.diskGb)} GB of disk: put partitions on a separate volume`],
  ];
  const due = steps.flatMap(([isDue, what]) => (isDue ? [what] : []));
  return due.length > 0 ? due : ['one machine is enough'];
}

/** The load used in docs/operations.md. */
export const ASKED: Load = { viewers: 1_000_000, rules: 1_000_000, rowsPerMonth: 100_000_000 };

const [BEGIN, END] = ['<!-- sizing: written by npm run docs -->', '<!-- end of sizing -->'];
const whole = (value: number) => Math.ceil(value).toLocaleString('en-US');
const short = (value: number) => (value < 10 ? value.toFixed(2) : whole(value));

/** One column per stage. */
export function sizingTable(loads: Load[], constants: Constants): string {
  const plans = loads.map((load) => plan(load, constants));
  const rows: [what: string, values: string[]][] = [
    ['rules', loads.map(({ rules }) => whole(rules))],
    ['rows per month', loads.map(({ rowsPerMonth }) => whole(rowsPerMonth))],
    ['requests per second', plans.map((p) => whole(p.requestsPerSecond))],
    ['Gbit/s out (live frames)', plans.map((p) => `${short(p.gigabits)} (${short(p.frameGigabits)})`)],
    ['web processes', plans.map((p) => whole(p.webProcesses))],
    ['web: cores, GB', plans.map((p) => `${short(p.webCores)}, ${short(p.webGb)}`)],
    ['workers (`ALERT_SHARDS`)', plans.map((p) => `${whole(p.workers)} (${whole(p.shards)})`)],
    ['workers: cores, GB', plans.map((p) => `${short(p.workerCores)}, ${short(p.workerGb)}`)],
    ['rules loaded in, s', plans.map((p) => short(p.ownerSeconds))],
    [
      'busiest minute delivered in, s (Telegram)',
      plans.map((p) => `${short(p.stormSeconds)} (${whole(p.telegramSeconds)})`),
    ],
    ['database: cores, GB', plans.map((p) => `${short(p.databaseCores)}, ${short(p.databaseGb)}`)],
    ['database: connections', plans.map((p) => whole(p.connections))],
    ['disk, GB', plans.map((p) => short(p.diskGb))],
    ['machines', plans.map((p) => whole(p.machines))],
  ];
  const head = `| viewers at once | ${loads.map(({ viewers }) => whole(viewers)).join(' | ')} |`;
  const line = `| --- | ${loads.map(() => '---:').join(' | ')} |`;
  return [head, line, ...rows.map(([what, values]) => `| ${what} | ${values.join(' | ')} |`)].join('\n');
}

function steps(loads: Load[], constants: Constants): string {
  return loads
    .map((load) => `- **${whole(load.viewers)} viewers**: ${nextSteps(load, constants).join('; ')}.`)
    .join('\n');
}

function sizing(): string {
  const constants = constantsOf(readMeasured());
  const loads = stagesTo(ASKED);
  return `${sizingTable(loads, constants)}\n\nWhat each stage adds:\n${steps(loads, constants)}`;
}

/** docs/operations.md with its sizing tables recomputed. */
export function operationsDocument(file = 'docs/operations.md'): string {
  const text = readFileSync(file, 'utf8');
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${file} has no sizing section: ${BEGIN} … ${END}`);
  return `${text.slice(0, from)}${BEGIN}\n${sizing()}\n${text.slice(to)}`;
}
