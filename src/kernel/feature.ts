import type { FastifyInstance } from 'fastify';
import type { Topic } from '#shared/contract.ts';
import type { DataMode } from '#shared/provenance.ts';
import type { BackgroundThread } from './background-thread.ts';
import type { Config } from './config.ts';
import type { Connection, Db } from './db.ts';
import type { ReportError } from './error-reports.ts';
import type { Listener } from './listener.ts';
import type { Live } from './live/live.ts';
import type { Log } from './log.ts';
import type { Mail } from './mail/mail.ts';
import type { PersonalData } from './personal-data.ts';
import type { ReadModelFactory } from './read-model.ts';
import type { Reads } from './reads/reads.ts';
import type { Job } from './scheduler.ts';
import type { Secrets } from './secrets.ts';
import type { SealedColumns } from './secrets-rotation/store.ts';
import type { SourceDescriptor, SourceSet } from './source-set.ts';

/** What a process has before its features are created. */
export type FeatureContext = {
  config: Config;
  mode: DataMode;
  db: Db;
  /** The database itself, where `db` may connect through a pooler. */
  direct: Connection;
  reads: Reads;
  listener: Listener;
  live: Live;
  mail: Mail;
  secrets: Secrets;
  sources: SourceSet;
  thread: BackgroundThread;
  publicUrl: () => string;
  log: Log;
  report: ReportError;
  now: () => Date;
};

/**
 * What a feature contributes to a process. `Routes` and `Jobs` are the services its routes and jobs need; the list of
 * features compiles only if the product provides them. `Models` are its read models, passed to routes as `models`.
 * `Services` is what it provides to later features, to routes and to jobs.
 */
export type Feature<Routes, Jobs, Models = unknown, Needs = unknown, Services = unknown> = {
  name: string;
  /**
   * Creates its services for one process. `parts` holds the ground and the services of earlier features in the list.
   */
  create?: (parts: Needs) => Services;
  /** Topics of the live stream. */
  topics?: readonly Topic[];
  /** External data sources. */
  sources?: (config: Config, mode: DataMode) => readonly SourceDescriptor[];
  /** Tables with personal data, exported in the data download. */
  personalData?: readonly PersonalData[];
  /** Tables that reference accounts but are not exported, with the reason. */
  excludedFromPersonalData?: Readonly<Record<string, string>>;
  /** Encrypted columns, re-encrypted when the secret key is rotated. */
  sealed?: readonly SealedColumns[];
  /** Public payloads that a process keeps prepared. */
  readModels?: (make: ReadModelFactory) => Models;
  routes?: (app: FastifyInstance, parts: Routes) => void;
  jobs?: (parts: Jobs) => readonly Job[];
};

export const feature = <Routes = unknown, Jobs = unknown, Models = unknown, Needs = unknown, Services = unknown>(
  value: Feature<Routes, Jobs, Models, Needs, Services>,
): Feature<Routes, Jobs, Models, Needs, Services> => value;
