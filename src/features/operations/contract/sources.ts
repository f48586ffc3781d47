import { z } from 'zod/mini';

import { sourceHealth } from '#features/market/contract/market.ts';
import { endpoint } from '#shared/contract.ts';
import { dataMode } from '#shared/provenance.ts';

/** Measured on our own calls: success rate in percent and median milliseconds; null without a call in the window. */
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
  /** Required attribution; null when it requires none. */
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

/** Outcome of a manual collection, from the jobs that ran it. */
export const sourceRun = z.object({
  state: z.enum([
    'waiting',
    'running',
    'answered',
    /** It was called and failed; `note` has the error. */
    'unanswered',
    /** The jobs ended without calling it. */
    'not_asked',
    /** A job failed; `note` has the first lines of its error. */
    'failed',
  ]),
  note: z.nullable(z.string()),
  askedAt: z.iso.datetime(),
  /** Who started it; null when that account has been deleted. */
  askedBy: z.nullable(z.string()),
});
export type SourceRun = z.infer<typeof sourceRun>;

export const adminSource = z.extend(sourceDetail, {
  /** Uses a persistent connection. */
  streams: z.boolean(),
  /** The setting with its key; null when it takes none. */
  keySetting: z.nullable(z.string()),
  keyPresent: z.boolean(),
  /** Calls in this calendar month (UTC); null when its plan has no limit. */
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

/**
 * Starts the jobs that read it. 409 with the reason while one is in progress, or while the source is paused or
 * disabled.
 */
export const collectSource = endpoint({
  method: 'POST',
  path: '/api/admin/sources/:id/collect',
  access: 'admin',
  params: z.object({ id: z.string().check(z.maxLength(100)) }),
  reply: z.object({ jobs: z.array(z.string()) }),
});
