import { z } from 'zod/mini';

import { sourceHealth } from '#features/market/contract/market.ts';
import { endpoint } from '#shared/contract.ts';
import { dataMode } from '#shared/provenance.ts';

/** Measured on our own calls: percent that succeeded and median milliseconds; null without a call in the window. */
export const callRecord = z.object({
  calls: z.int(),
  success_rate: z.nullable(z.number()),
  latency_ms: z.nullable(z.number()),
});

export const sourceDetail = z.extend(sourceHealth, {
  host: z.string(),
  homepage: z.string(),
  /** What its terms allow, in one sentence. */
  licence: z.string(),
  /** The words it wants shown; null when it asks for none. */
  attribution: z.nullable(z.string()),
  key: z.enum(['none', 'optional', 'required']),
  day: callRecord,
  month: callRecord,
});
export type SourceDetail = z.infer<typeof sourceDetail>;

export const sourceList = z.object({
  timestamp: z.iso.datetime(),
  dataMode,
  sources: z.array(sourceDetail),
});
export type SourceList = z.infer<typeof sourceList>;

export const listSources = endpoint({ method: 'GET', path: '/api/sources', access: 'public', reply: sourceList });

/** What became of what was collected by hand, told by the jobs that did it. */
export const sourceRun = z.object({
  state: z.enum([
    'waiting',
    'running',
    'answered',
    /** It was asked and failed; `note` has its words. */
    'unanswered',
    /** The jobs ended without asking it. */
    'not_asked',
    /** A job failed; `note` has the first lines of its error. */
    'failed',
  ]),
  note: z.nullable(z.string()),
  askedAt: z.iso.datetime(),
  /** Who asked; null when that account is gone. */
  askedBy: z.nullable(z.string()),
});
export type SourceRun = z.infer<typeof sourceRun>;

export const adminSource = z.extend(sourceDetail, {
  /** Heard over a connection that stays open. */
  streams: z.boolean(),
  /** The setting that holds its key; null when it takes none. */
  keySetting: z.nullable(z.string()),
  keyPresent: z.boolean(),
  /** Calls of this calendar month (UTC); null when its plan sets no limit. */
  budget: z.nullable(z.object({ used: z.int(), limit: z.int() })),
  /** The jobs that fetch its newest data. */
  jobs: z.array(z.string()),
  nextRunAt: z.nullable(z.iso.datetime()),
  /** Why it cannot be collected now; null when it can. */
  notNow: z.nullable(z.string()),
  run: z.nullable(sourceRun),
});
export type AdminSource = z.infer<typeof adminSource>;

export const listAdminSources = endpoint({
  method: 'GET',
  path: '/api/admin/sources',
  access: 'admin',
  reply: z.object({ timestamp: z.iso.datetime(), sources: z.array(adminSource) }),
});

/** Sends the jobs that read it. 409 with the reason while one is under way, or the source rests or is off. */
export const collectSource = endpoint({
  method: 'POST',
  path: '/api/admin/sources/:id/collect',
  access: 'admin',
  params: z.object({ id: z.string().check(z.maxLength(100)) }),
  reply: z.object({ jobs: z.array(z.string()) }),
});
