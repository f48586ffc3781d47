import { accounts } from '#features/accounts/server/feature.ts';
import type { PersonalDataTables } from '#features/accounts/server/personal-data/service.ts';
import { alerts } from '#features/alerts/server/feature.ts';
import { analysis } from '#features/analysis/server/feature.ts';
import { analytics } from '#features/analytics/server/feature.ts';
import { api } from '#features/api/server/feature.ts';
import { contact } from '#features/contact/server/feature.ts';
import { events } from '#features/events/server/feature.ts';
import { exports } from '#features/exports/server/feature.ts';
import { inflation } from '#features/inflation/server/feature.ts';
import { market } from '#features/market/server/feature.ts';
import type { PastMarket } from '#features/market/server/metrics/service.ts';
import { notifications } from '#features/notifications/server/feature.ts';
import type { Channel } from '#features/notifications/server/notifications/channel.ts';
import type { Health } from '#features/operations/contract/health.ts';
import type { AdminContext } from '#features/operations/server/admin/context.ts';
import { operations } from '#features/operations/server/feature.ts';
import type { Readiness } from '#features/operations/server/health/readiness.ts';
import type { Monitoring } from '#features/operations/server/monitoring/service.ts';
import type { Settings } from '#features/operations/server/settings/service.ts';
import { payments, type Rails } from '#features/payments/server/feature.ts';
import { site } from '#features/site/server/feature.ts';
import type { BackgroundThread } from '#kernel/background-thread.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import type { Connection } from '#kernel/db.ts';
import type { Feature, FeatureContext } from '#kernel/feature.ts';
import type { Log } from '#kernel/log.ts';
import type { Section } from '#kernel/mail/blocks.ts';
import type { ReadModelFactory } from '#kernel/read-model.ts';
import type { Scheduler } from '#kernel/scheduler.ts';
import type { Secrets } from '#kernel/secrets.ts';
import type { SealedColumns } from '#kernel/secrets-rotation/store.ts';
import type { Topic } from '#shared/contract.ts';
import type { DataMode } from '#shared/provenance.ts';
import type { sharedHeaders } from './cache-answers.ts';

export type ProductOptions = {
  config: Config;
  mode: DataMode;
  connection: Connection;
  /** The server itself, where `connection` uses a pooler: for anything that needs a session. Default: `connection`. */
  direct?: Connection;
  /** A replica for long reads. */
  read?: Connection | undefined;
  databaseKind: 'bundled' | 'external';
  /** Where the bundled database writes. */
  databaseFolder?: string | null;
  clock: Clock;
  log: Log;
  secrets: Secrets;
  version: string;
  /** False only in benchmarks: requests are not counted. */
  watchRequests?: boolean;
  /** Demo only: the same market at any earlier time. */
  openPast?: () => Promise<PastMarket>;
  /** Only in tests: channels added to those of the product, replacing any of the same name. */
  channels?: Channel[];
  /** Only in tests: networks in place of the real ones. */
  rails?: Rails;
  /** Only in tests: a thread that several products share. */
  thread?: BackgroundThread;
};

/** Each receives the services of the features before it. */
const LIST = [
  accounts,
  market,
  analysis,
  inflation,
  events,
  alerts,
  notifications,
  payments,
  exports,
  analytics,
  api,
  contact,
  operations,
  site,
] as const;

type Listed = (typeof LIST)[number];
type ModelsOf<F> = F extends Feature<never, never, infer M, never> ? (unknown extends M ? never : M) : never;
type ServicesOf<F> = F extends Feature<never, never, unknown, never, infer S> ? (unknown extends S ? never : S) : never;
type All<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never;

/** The public payloads that a process keeps prepared. */
export type Models = All<ModelsOf<Listed>>;
/** The services of all features, one of each per process. */
export type Services = All<ServicesOf<Listed>>;

/** What a process provides to its features: its ground, and what only demo mode or tests add. */
type ComposeContext = FeatureContext & Pick<ProductOptions, 'openPast' | 'channels' | 'rails'>;
type Needs = ComposeContext & Services & { eventsForModels: Services['events']['forModels'] };

/** Services and settings available to routes. */
export type RouteParts = Services &
  FeatureContext & {
    settings: Settings;
    models: Models;
    scheduler: Scheduler;
    health: () => Promise<Health>;
    readiness: Readiness;
    monitoring: Monitoring;
    topics: readonly Topic[];
    transport: Record<string, string>;
    documentHeaders: ReturnType<typeof sharedHeaders>;
    nextCollection: (at: Date) => Date | null;
    /** Queues the history of a coin that is not stored yet. */
    requestBackfill: (coinId: string) => Promise<void>;
    keysOf: AdminContext['keysOf'];
    personalData: PersonalDataTables;
  };

/** Services and settings available to jobs. */
export type JobParts = Services & FeatureContext & { scheduler: () => Scheduler; briefSection: () => Section };

/** Every feature of the product. */
export const FEATURES: readonly Feature<RouteParts, JobParts, unknown, Needs>[] = LIST;

export function createServices(given: ComposeContext): Services {
  const parts = {
    ...given,
    // Read lazily: the calendar depends on inflation, which depends on the analysts.
    eventsForModels: (from, to) => parts.events.forModels(from, to),
  } as Needs;
  const services = {};
  for (const { create } of FEATURES) {
    const made = create?.(parts);
    Object.assign(parts, made);
    Object.assign(services, made);
  }
  return services as Services;
}

/** The read models of all features, empty until something is published. */
export const createReadModels = (make: ReadModelFactory): Models =>
  Object.assign({}, ...FEATURES.map(({ readModels }) => readModels?.(make)));

/** Tables with personal data, for the data download. */
export const PERSONAL_DATA: PersonalDataTables = {
  tables: FEATURES.flatMap(({ personalData = [] }) => personalData),
  leftOut: {
    live_frames: 'live updates of the last few minutes, copies of data listed elsewhere',
    ...Object.assign({}, ...FEATURES.map((each) => each.excludedFromPersonalData)),
  },
};

/** Columns encrypted by `secrets.seal`. */
export const SEALED_COLUMNS: readonly SealedColumns[] = [
  { table: 'mail_outbox', key: 'id', columns: ['body'] },
  ...FEATURES.flatMap(({ sealed = [] }) => sealed),
  { table: 'installation', key: 'only_row', columns: ['lasting_key'] },
];

/** Topics of the live stream. */
export const TOPICS = FEATURES.flatMap(({ topics = [] }) => topics);
