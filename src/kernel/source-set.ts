import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import type { Db } from './db.ts';
import type { ReportError } from './error-reports.ts';
import { createSourceClient, type SourceClient, type SourceOptions } from './http/http-client.ts';
import { isLoopback } from './http/loopback.ts';
import { createMonthBudget } from './http/resilience.ts';
import { counterOf } from './route-figures.ts';
import {
  type CallRecord,
  callRecords,
  callsOfHour,
  callsSince,
  createSourceCalls,
  type HourOfCalls,
} from './source-calls.ts';
import { createSourceRegistry, type SourceRegistry, type SourceStatus } from './sources.ts';

/** The endpoint of a call without its variable parts: numbers, hashes and the query's values. */
export function endpointOf(path: string): string {
  const [place = '', search = ''] = path.split('?');
  const segments = place.split('/').map((part) => (/^(\d+|(0x)?[0-9a-f]{32,})$/i.test(part) ? '_' : part));
  const names = [...new Set(new URLSearchParams(search).keys())].toSorted();
  return segments.join('/') + (names.length > 0 ? `?${names.join('&')}` : '');
}

const fileOf = (endpoint: string) => `${endpoint.replace(/[^\w.-]+/g, '-').replace(/^-+|-+$/g, '') || 'root'}.json`;

/** Stores the newest body per endpoint; a folder that cannot be written is a configuration error and is thrown. */
export function createRecorder(folder: string) {
  return {
    keep(source: string, { path, body }: { path: string; body: unknown }): void {
      const place = join(folder, source);
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, fileOf(endpointOf(path))), JSON.stringify(body, null, 1));
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
export type EarlierHealth = Omit<SourceHealth, 'state'> & { state: 'ok' | 'down' | 'unknown' };
export type SourceRecord = SourceHealth &
  Pick<SourceDescriptor, 'homepage' | 'licence' | 'attribution' | 'key'> & {
    host: string;
    day: CallRecord;
    month: CallRecord;
  };

/** Operator details in addition to the record. */
export type SourceUpkeep = {
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
  healthAt: (moment: Date) => Promise<EarlierHealth[]>;
  /** Health with licence and the record of our own calls. */
  records: () => Promise<SourceRecord[]>;
  /** Every source, in the order of declaration. */
  upkeep: () => Promise<SourceUpkeep[]>;
};

type Deps = {
  db: Db;
  config: Config;
  now: () => Date;
  report: ReportError;
};

const asked = counterOf(
  'meridian_source_calls_total',
  'Calls to external sources by this process, retries counted as one.',
  ['source', 'outcome'],
);
const waited = counterOf('meridian_source_answer_seconds_total', 'Response time of external sources, in seconds.', [
  'source',
]);

const UNLIMITED = { perMinute: 1e6, burst: 1e6 };
/** For a provider on this machine, such as the sandbox. */
const AT_ONCE = { ...UNLIMITED, retryMs: 10 };
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

  const describe = (id: string): SourceDescriptor => {
    const found = byId.get(id);
    if (!found) throw new Error(`Unknown source ${id}`);
    return found;
  };
  const whyOff = ({ off }: SourceDescriptor) => off?.(config) ?? null;

  function status(id: string): SourceStatus {
    const why = whyOff(describe(id));
    return why === null ? registry.status(id) : { ...registry.status(id), state: 'key_missing', note: why };
  }
  async function upkeepOf({ id, streams = false, keySetting, key, options }: SourceDescriptor): Promise<SourceUpkeep> {
    const limit = options(config).perMonth?.calls;
    const at = now();
    const budget =
      limit === undefined
        ? null
        : { used: await callsSince(db, id, new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()))), limit };
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
      const { name, options } = describe(id);
      const wishes = options(config);
      const limit = wishes.perMonth;
      const usedSince = (from: Date) => callsSince(db, id, from);
      const client = createSourceClient(
        {
          name,
          ...wishes,
          ...(isLoopback(wishes.baseUrl) ? AT_ONCE : {}),
          budget: limit ? createMonthBudget({ name, limit, now, usedSince }) : undefined,
          ...(recorder ? { onBody: (call) => recorder.keep(id, call) } : {}),
          onSuccess: (ms) => {
            calls.count(id, now(), ms);
            asked.inc({ source: id, outcome: 'answered' });
            waited.inc({ source: id }, ms / 1000);
            registry.succeeded(id);
          },
          onFailure: (error) => {
            if (!['resting', 'spent', 'cancelled'].includes(error.kind)) calls.count(id, now(), null);
            asked.inc({ source: id, outcome: error.kind });
            registry.failed(id, error);
          },
        },
        now,
      );
      clients.set(id, client);
      return client;
    },
    clientAt(id, elsewhere, at) {
      const { name, options } = describe(id);
      return createSourceClient({ name, ...options(elsewhere), ...UNLIMITED }, () => at);
    },
    isOn: (id) => whyOff(describe(id)) === null,
    nameOf: (id) => byId.get(id)?.name ?? id,
    health,
    async healthAt(moment) {
      const calls = await callsOfHour(db, moment);
      return descriptors.map(({ id, name, gives }) => ({ id, name, gives, ...healthOf(calls.get(id), moment) }));
    },
    upkeep: () => Promise.all(descriptors.map(upkeepOf)),
    async records() {
      const [day, month] = await Promise.all([callRecords(db, now(), 24), callRecords(db, now(), 30 * 24)]);
      return health().map((row) => {
        const { homepage, licence, attribution, key, options } = describe(row.id);
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

function healthOf(hour: HourOfCalls | undefined, moment: Date): Omit<EarlierHealth, 'id' | 'name' | 'gives'> {
  const from = moment.toISOString().slice(11, 13);
  const span = `between ${from}:00 and ${from}:59 UTC`;
  const times = { lastSuccessAt: null, lastFailureAt: null };
  if (!hour) return { state: 'unknown', note: `No call ${span} is recorded`, ...times };
  const { calls, answered } = hour;
  const note = answered === calls ? null : `${answered} of ${calls} calls ${span} succeeded`;
  return { state: answered > 0 ? 'ok' : 'down', note, ...times };
}
