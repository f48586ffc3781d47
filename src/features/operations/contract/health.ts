import { z } from 'zod/mini';

import { sourceHealth } from '#features/market/contract/market.ts';
import { endpoint } from '#shared/contract.ts';
import { dataMode } from '#shared/provenance.ts';

/**
 * `status` is 'degraded' while a source, database writes or the exports folder fails: the product still serves data,
 * with ages.
 */
export const health = z.object({
  status: z.enum(['ok', 'degraded']),
  version: z.string(),
  dataMode,
  role: z.enum(['all', 'web', 'worker']),
  /** `note` is one sentence while writes fail; the version is 'unknown' while the database does not respond. */
  database: z.object({
    kind: z.enum(['bundled', 'external']),
    version: z.string(),
    writable: z.boolean(),
    note: z.nullable(z.string()),
  }),
  /** The replica used for long reads, null without one; `note` is one sentence while the primary is used instead. */
  reads: z.nullable(z.object({ inUse: z.boolean(), lagSeconds: z.nullable(z.number()), note: z.nullable(z.string()) })),
  /** `note` is one sentence while export files cannot be written. */
  exports: z.object({ writable: z.boolean(), note: z.nullable(z.string()) }),
  startedAt: z.iso.datetime(),
  /** Measured by a heartbeat per minute; null until there is one. Percent over the window. */
  uptime: z.object({ percent: z.nullable(z.number()), windowDays: z.number(), targetPercent: z.number() }),
  sources: z.array(sourceHealth),
});
export type Health = z.infer<typeof health>;

export const getHealth = endpoint({
  method: 'GET',
  path: '/api/health',
  access: 'public',
  reply: health,
});

export const liveness = z.object({ status: z.literal('live') });

/** 200 while the process runs; does not query the database. */
export const getLiveness = endpoint({
  method: 'GET',
  path: '/api/health/live',
  access: 'public',
  reply: liveness,
});

export const readiness = z.object({ status: z.literal('ready'), role: z.enum(['all', 'web', 'worker']) });

/**
 * 200 while this process accepts requests; 503 with the reasons as sentences while it starts, stops or cannot read its
 * database. `except=database` ignores the database, for proxies that prefer stale data with its age to none.
 */
export const getReadiness = endpoint({
  method: 'GET',
  path: '/api/health/ready',
  access: 'public',
  query: z.object({ except: z.optional(z.literal('database', 'except can only be "database"')) }),
  reply: readiness,
});
