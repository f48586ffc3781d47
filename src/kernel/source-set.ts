import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import type { Db } from './db.ts';
import type { ReportError } from './error-reports.ts';
import { createSourceClient, type SourceClient, type SourceOptions } from './http/http-client.ts';
import { isLoopback } from './http/loopback.ts';
import { createMonthlyBudget } from './http/resilience.ts';
import { createCounter } from './route-figures.ts';
import {
  type CallRecord,
  countCallsSince,
  createSourceCalls,
  type HourlyCalls,
  readCallRecords,
  readCallsOfHour,
} from './source-calls.ts';
import { createSourceRegistry, type SourceRegistry, type SourceStatus } from './sources.ts';

/** The endpoint of a call without its variable parts: numbers, hashes and the query's values. */
export function normalizeEndpoint(path: string): string {
  const [place = '', search = ''] = path.split('?');
  const segments = place.split('/').map((part) => (/^(\d+|(0x)?[0-9a-f]{32,})$/i.test(part) ? '_' : part));
  const names = [...new Set(new URLSearchParams(search).keys())].toSorted();
  return segments.join('/') + (names.length > 0 ? `?${names.join('&')}` : '');
}

const toFileName = (endpoint: string) => `${endpoint.replace(/[^\w.-]+/g, '-').replace(/^-+|-+$/g, '') || 'root'}.json`;

/** Stores the newest body per endpoint; a folder that cannot be written is a configuration error and is thrown. */
export function createRecorder(folder: string) {
  return {
    record(source: string, { path, body }: { path: string; body: unknown }): void {
      const place = join(folder, source);
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, toFileName(normalizeEndpoint(path))), JSON.stringify(body, null, 1));
    },
  };
}

/** One external source as declared by its adapter. */
export type SourceDescriptor = {
  id: string;
  /** Display name: 'CoinGecko'. */
  name: string;
  gives: string;
  homepage: string;
  /** What its terms allow, in one sentence. */
  licence: string;
  /** The attribution it requires; null when it requires none. */
  attribution: string | null;
  key: 'none' | 'optional' | 'required';
  /** The setting that holds its key. */
  keySetting?: keyof Config;
  /** Received over a permanent connection, in addition to what jobs read. */
  streams?: boolean;
  /** Why it is disabled, in one sentence; null when it is enabled. */
  off?: (config: Config) => string | null;
  options: (config: Config) => Omit<SourceOptions, 'name'>;
};

export type SourceHealth = { id: string; name: string; gives: string } & SourceStatus;
export type PastHealth = Omit<SourceHealth, 'state'> & { state: 'ok' | 'down' | 'unknown' };
export type SourceRecord = SourceHealth &
  Pick<SourceDescriptor, 'homepage' | 'licence' | 'attribution' | 'key'> & {
    host: string;
    day: CallRecord;
    month: CallRecord;
  };

/** Operator details in addition to the record. */
export type SourceMaintenance = {
  id: string;
  streams: boolean;
  /** The setting that holds its key; null when it takes none. */
  keySetting: string | null;
  keyPresent: boolean;
  /** Calls of this calendar month (UTC) and the limit of its plan; null when it has no such limit. */
  budget: { used: number; limit: number } | null;
};

export type SourceSet = SourceRegistry & {
  /** One client per source, so that its limits apply to all callers. */
  client: (id: string) => SourceClient;
  /** A client for other addresses at another time, such as those of a simulated past; its calls are not counted. */
  clientAt: (id: string, config: Config, at: Date) => SourceClient;
  isOn: (id: string) => boolean;
  nameOf: (id: string) => string;
  /** Every source and its state, in the order of declaration. */
  health: () => SourceHealth[];
  /** How they performed in the hour of an earlier time, by the calls counted then. */
  healthAt: (moment: Date) => Promise<PastHealth[]>;
  /** Health with licence and the record of our own calls. */
  records: () => Promise<SourceRecord[]>;
  /** Every source, in the order of declaration. */
  upkeep: () => Promise<SourceMaintenance[]>;
};

type Deps = {
  db: Db;
  config: Config;
  now: () => Date;
  report: ReportError;
};

const callCounter = createCounter(
  'meridian_source_calls_total',
  'Calls to external sources by this process, retries counted as one.',
  ['source', 'outcome'],
);
const responseSeconds = createCounter(
  'meridian_source_answer_seconds_total',
  'Response time of external sources, in seconds.',
  ['source'],
);

const UNLIMITED = { perMinute: 1e6, burst: 1e6 };
/** For a provider on this machine, such as the sandbox. */
const LOOPBACK_OPTIONS = { ...UNLIMITED, retryMs: 10 };
const NO_CALLS: CallRecord = { calls: 0, success_rate: null, latency_ms: null };

/** Every external source of the product: its client, its state and its record. */
export function createSourceSet(
  { db, config, now, report }: Deps,
  descriptors: readonly SourceDescriptor[],
): SourceSet {
  const registry = createSourceRegistry(db, now, report);
  const calls = createSourceCalls(db);
  const byId = new Map(descriptors.map((descriptor) => [descriptor.id, descriptor]));
  const clients = new Map<string, SourceClient>();
  const recorder = config.RECORD_DIR ? createRecorder(config.RECORD_DIR) : null;

  const getDescriptor = (id: string): SourceDescriptor => {
    const found = byId.get(id);
    if (!found) throw new Error(`Unknown source ${id}`);
    return found;
  };
  const disabledReason = ({ off }: SourceDescriptor) => off?.(config) ?? null;

  function status(id: string): SourceStatus {
    const why = disabledReason(getDescriptor(id));
    return why === null ? registry.status(id) : { ...registry.status(id), state: 'key_missing', note: why };
  }
  async function readUpkeep({
    id,
    streams = false,
    keySetting,
    key,
    options,
  }: SourceDescriptor): Promise<SourceMaintenance> {
    const limit = options(config).perMonth?.calls;
    const at = now();
    const budget =
      limit === undefined
        ? null
        : { used: await countCallsSince(db, id, new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()))), limit };
    const given = keySetting === undefined ? key !== 'none' : Boolean(config[keySetting]);
    return { id, streams, keySetting: keySetting ?? null, keyPresent: given, budget };
  }
  const health = () => descriptors.map(({ id, name, gives }) => ({ id, name, gives, ...status(id) }));

  return {
    ...registry,
    status,
    async save() {
      await calls.save();
      return registry.save();
    },
    client(id) {
      const known = clients.get(id);
      if (known) return known;
      const { name, options } = getDescriptor(id);
      const clientOptions = options(config);
      const limit = clientOptions.perMonth;
      const usedSince = (from: Date) => countCallsSince(db, id, from);
      const client = createSourceClient(
        {
          name,
          ...clientOptions,
          ...(isLoopback(clientOptions.baseUrl) ? LOOPBACK_OPTIONS : {}),
          budget: limit ? createMonthlyBudget({ name, limit, now, usedSince }) : undefined,
          ...(recorder ? { onBody: (call) => recorder.record(id, call) } : {}),
          onSuccess: (ms) => {
            calls.count(id, now(), ms);
            callCounter.inc({ source: id, outcome: 'answered' });
            responseSeconds.inc({ source: id }, ms / 1000);
            registry.succeeded(id);
          },
          onFailure: (error) => {
            if (!['resting', 'spent', 'cancelled'].includes(error.kind)) calls.count(id, now(), null);
            callCounter.inc({ source: id, outcome: error.kind });
            registry.failed(id, error);
          },
        },
        now,
      );
      clients.set(id, client);
      return client;
    },
    clientAt(id, otherConfig, at) {
      const { name, options } = getDescriptor(id);
      return createSourceClient({ name, ...options(otherConfig), ...UNLIMITED }, () => at);
    },
    isOn: (id) => disabledReason(getDescriptor(id)) === null,
    nameOf: (id) => byId.get(id)?.name ?? id,
    health,
    async healthAt(moment) {
      const calls = await readCallsOfHour(db, moment);
      return descriptors.map(({ id, name, gives }) => ({ id, name, gives, ...hourHealth(calls.get(id), moment) }));
    },
    upkeep: () => Promise.all(descriptors.map(readUpkeep)),
    async records() {
      const [day, month] = await Promise.all([readCallRecords(db, now(), 24), readCallRecords(db, now(), 30 * 24)]);
      return health().map((row) => {
        const { homepage, licence, attribution, key, options } = getDescriptor(row.id);
        const host = new URL(options(config).baseUrl).host;
        return {
          ...row,
          homepage,
          licence,
          attribution,
          key,
          host,
          day: day.get(row.id) ?? NO_CALLS,
          month: month.get(row.id) ?? NO_CALLS,
        };
      });
    },
  };
}

function hourHealth(hour: HourlyCalls | undefined, moment: Date): Omit<PastHealth, 'id' | 'name' | 'gives'> {
  const from = moment.toISOString().slice(11, 13);
  const span = `between ${from}:00 and ${from}:59 UTC`;
  const times = { lastSuccessAt: null, lastFailureAt: null };
  if (!hour) return { state: 'unknown', note: `No call ${span} is recorded`, ...times };
  const { calls, answered } = hour;
  const note = answered === calls ? null : `${answered} of ${calls} calls ${span} succeeded`;
  return { state: answered > 0 ? 'ok' : 'down', note, ...times };
}
