import type { StoredFigures } from './store.ts';

/** One metric with its series, as Prometheus reads them. */
export type Family = {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples: Sample[];
};
type Sample = { suffix?: '_bucket' | '_sum' | '_count'; labels?: Record<string, string>; value: number };

const escaped = (value: string) => value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
const formatNumber = (value: number) => {
  if (Number.isFinite(value)) return `${value}`;
  return Number.isNaN(value) ? 'NaN' : `${value > 0 ? '+' : '-'}Inf`;
};

function formatSample(name: string, { suffix, labels = {}, value }: Sample): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escaped(text)}"`);
  return `${name}${suffix ?? ''}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${formatNumber(value)}`;
}

/** The Prometheus text format, version 0.0.4; a metric without series is omitted. */
export const formatExposition = (families: readonly Family[]): string =>
  families
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, type, samples }) =>
      [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples.map((sample) => formatSample(name, sample))].join(
        '\n',
      ),
    )
    .map((text) => `${text}\n`)
    .join('');

/** A gauge without labels; absent while there is no value. */
export const gauge = (name: string, help: string, value: number | null): Family => ({
  name,
  help,
  type: 'gauge',
  samples: value === null ? [] : [{ value }],
});

/** A gauge with one series per row. */
export const gauges = (
  name: string,
  help: string,
  rows: readonly { labels: Record<string, string>; value: number | null }[],
): Family => ({
  name,
  help,
  type: 'gauge',
  samples: rows.flatMap(({ labels, value }) => (value === null ? [] : [{ labels, value }])),
});

/** The stored metrics and when they were read. */
export type Read = { at: Date; stored: StoredFigures };

const CHANNELS = ['email', 'push', 'telegram', 'webhook'] as const;
const NONE = { due: 0, claimed: 0, later: 0, oldest_due: null };

const seconds = (at: string | null) => (at === null ? null : Date.parse(at) / 1000);
const ageSeconds = (at: string | null, now: Date) =>
  at === null ? 0 : Math.max(0, (now.getTime() - Date.parse(at)) / 1000);

function database({ database: d, replicas }: StoredFigures): Family[] {
  return [
    gauge('meridian_database_size_bytes', 'Database size on disk.', d.bytes),
    gauge('meridian_database_connections', 'Database connections, all processes.', d.connections),
    gauge('meridian_database_connections_limit', 'Maximum connections of the database server.', d.limit),
    gauge('meridian_database_transactions_open', 'Open transactions, all processes.', d.in_transaction),
    gauge(
      'meridian_database_oldest_transaction_seconds',
      'Age of the oldest open transaction; 0 if none.',
      d.oldest_seconds ?? 0,
    ),
    gauge('meridian_database_replica', '1 when this process reads from a replica.', d.is_replica ? 1 : 0),
    gauge('meridian_database_replay_lag_seconds', 'Lag of the replica in use.', d.replay_seconds),
    gauges(
      'meridian_database_replica_lag_seconds',
      'Lag of each replica as reported by the primary; 0 when caught up.',
      replicas.map(({ name, seconds: lag }) => ({ labels: { replica: name }, value: lag ?? 0 })),
    ),
  ];
}

function deliveries({ deliveries: rows, failedDeliveries, mails }: StoredFigures, now: Date): Family[] {
  const channels = CHANNELS.map((channel) => ({
    channel,
    ...(rows.find((row) => row.channel === channel) ?? NONE),
    failed: failedDeliveries.find((row) => row.channel === channel)?.failed ?? 0,
  }));
  return [
    gauges(
      'meridian_deliveries_waiting',
      'Deliveries due, claimed by a worker or scheduled.',
      channels.flatMap(({ channel, due, claimed, later }) => [
        { labels: { channel, state: 'due' }, value: due },
        { labels: { channel, state: 'claimed' }, value: claimed },
        { labels: { channel, state: 'later' }, value: later },
      ]),
    ),
    gauges(
      'meridian_delivery_oldest_due_seconds',
      'Due time of the oldest waiting delivery; 0 if none.',
      channels.map(({ channel, oldest_due }) => ({ labels: { channel }, value: ageSeconds(oldest_due, now) })),
    ),
    gauges(
      'meridian_deliveries_failed',
      'Permanently failed deliveries of the last 30 days.',
      channels.map(({ channel, failed }) => ({ labels: { channel }, value: failed })),
    ),
    gauge('meridian_mails_waiting', 'Emails in the outbox waiting to be sent.', mails.waiting),
    gauge(
      'meridian_mail_oldest_due_seconds',
      'Due time of the oldest waiting email.',
      ageSeconds(mails.oldest_due, now),
    ),
  ];
}

function jobs({ jobs: rows, records }: StoredFigures): Family[] {
  const states = { created: 'waiting', retry: 'waiting', active: 'running', failed: 'failed' };
  const byLabel = Map.groupBy(rows, ({ name, state }) => `${name} ${states[state as keyof typeof states]}`);
  return [
    gauges(
      'meridian_jobs',
      'Job runs waiting, running or failed within the last day.',
      [...byLabel].map(([label, runs]) => {
        const [job = '', state = ''] = label.split(' ');
        return { labels: { job_name: job, state }, value: runs.reduce((sum, each) => sum + each.runs, 0) };
      }),
    ),
    gauges(
      'meridian_job_last_success_timestamp_seconds',
      'Time of the last successful run of a job, in any process.',
      records.map(({ name, succeeded_at }) => ({ labels: { job_name: name }, value: seconds(succeeded_at) })),
    ),
    gauges(
      'meridian_job_last_failure_timestamp_seconds',
      'Time of the last failed run of a job, in any process.',
      records.map(({ name, failed_at }) => ({ labels: { job_name: name }, value: seconds(failed_at) })),
    ),
    gauges(
      'meridian_job_last_duration_seconds',
      'Duration of the last successful run.',
      records.map(({ name, succeeded_ms }) => ({
        labels: { job_name: name },
        value: succeeded_ms === null ? null : succeeded_ms / 1000,
      })),
    ),
  ];
}

function money({ watchers, money: { suspense, open_payments, waiting_claims } }: StoredFigures): Family[] {
  return [
    gauge('meridian_payments_suspense', 'Incoming transfers not matched to an account.', suspense),
    gauge('meridian_payments_open', 'Open USDC payments.', open_payments),
    gauge('meridian_payments_claims_waiting', 'Transfer claims awaiting an administrator.', waiting_claims),
    gauges(
      'meridian_payment_watcher_last_look_timestamp_seconds',
      'Time a network was last checked for payments.',
      watchers.map(({ network, polled_at }) => ({ labels: { network }, value: seconds(polled_at) })),
    ),
    gauges(
      'meridian_payment_watcher_lag_blocks',
      'Blocks of a network not yet checked.',
      watchers.map(({ network, head, scanned }) => ({ labels: { network }, value: Math.max(0, head - scanned) })),
    ),
  ];
}

/** Metrics shared by all processes, from the database. */
export function createStoredFamilies({ at, stored }: Read): Family[] {
  const { collection, shards } = stored;
  return [
    ...database(stored),
    gauge(
      'meridian_collection_last_success_timestamp_seconds',
      'Time the last full collection finished.',
      seconds(collection?.finished_at ?? null),
    ),
    gauge(
      'meridian_collection_last_duration_seconds',
      'Duration of the last full collection including analysis.',
      collection?.seconds ?? null,
    ),
    gauges(
      'meridian_alert_shard_epoch',
      'Ownership changes of a rule shard.',
      shards.map(({ shard, epoch }) => ({ labels: { shard: `${shard}` }, value: epoch })),
    ),
    ...deliveries(stored, at),
    ...jobs(stored),
    ...money(stored),
  ];
}
