import { Resolver } from 'node:dns';
import { z } from 'zod';

import { isLoopback } from './http/loopback.ts';

export const url = (fallback: string, about: string) =>
  z
    .string()
    .regex(/^(https?|wss?):\/\//, 'must be an http(s) or ws(s) URL')
    .transform((value) => value.replace(/\/+$/, ''))
    .default(fallback)
    .describe(about);
export const key = (about: string) => z.string().min(1).optional().describe(about);
export const integer = (min: number, max: number, fallback: number, about: string) =>
  z.coerce.number().int().min(min).max(max).default(fallback).describe(about);
export const boolean = (about: string) =>
  z
    .enum(['0', '1', 'true', 'false'])
    .default('0')
    .transform((value) => value === '1' || value === 'true')
    .describe(about);

const MAX_PER_DAY = 1_000_000_000;

/** Limits of the public API. */
export const API_SETTINGS = {
  API_CALLS_PER_DAY_PRO: integer(
    0,
    MAX_PER_DAY,
    1000,
    'Public API calls per UTC day for a Pro account; 0 is unlimited.',
  ),
  API_CALLS_PER_DAY_PREMIUM: integer(
    0,
    MAX_PER_DAY,
    10_000,
    'Public API calls per UTC day for a Premium+ account; 0 is unlimited. Administrators have no limit.',
  ),
  API_BURST_PER_SECOND: integer(
    0,
    100_000,
    10,
    'Public API burst and calls per second for an account, per process; 0 is unlimited.',
  ),
};

const database = (about: string) =>
  z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must be a postgres:// URL')
    .optional()
    .describe(about);

/** The PostgreSQL server of the product and its connection settings. */
export const DATABASE_SETTINGS = {
  DATABASE_URL: database(
    'Existing PostgreSQL (15 or newer), or a pooler in front of it. Default: the bundled PostgreSQL in DATA_DIR.',
  ),
  DATABASE_DIRECT_URL: database(
    'Direct connection to PostgreSQL if DATABASE_URL points to a pooler in transaction mode, such as PgBouncer; used for LISTEN, locks and migrations. Default: DATABASE_URL.',
  ),
  READ_DATABASE_URL: database(
    'Streaming replica for history, charts, analytics, exports and other long reads. Default: the primary.',
  ),
  READ_MAX_LAG_SECONDS: integer(1, 3600, 60, 'Maximum replica lag in seconds; beyond it, the primary is used.'),
};

/** Where export files are generated and stored. */
export const EXPORT_SETTINGS = {
  EXPORTS_DIR: z
    .string()
    .optional()
    .describe('Folder for exported files, shared by all processes. Default: exports in DATA_DIR.'),
  EXPORT_ROWS_AT_ONCE: integer(
    1,
    1_000_000,
    100_000,
    'Maximum rows of an export returned immediately; larger exports run as a job.',
  ),
  EXPORTS_PER_DAY: integer(1, 10_000, 20, 'Exports per UTC day for a Pro account. Premium+ has no limit.'),
  EXPORT_DAYS_KEPT: integer(1, 365, 7, 'Retention of exported files, in days.'),
  EXPORT_THREADS: integer(1, 16, 2, 'Exports running in parallel per process, for small and large ones each.'),
};

/** Monitoring settings for operators. */
export const OBSERVABILITY_SETTINGS = {
  METRICS_TOKEN: z
    .string()
    .min(16)
    .optional()
    .describe(
      'Token for GET /metrics, sent as "Authorization: Bearer …"; at least 16 characters. Default: only this machine can read it, not through a proxy.',
    ),
  METRICS_PORT: integer(
    0,
    65_535,
    0,
    'Separate port for GET /metrics, /api/health/live and /api/health/ready, also on workers. 0: none.',
  ),
  METRICS_HOST: z.string().default('127.0.0.1').describe('Address that METRICS_PORT listens on.'),
  DRAIN_SECONDS: integer(
    0,
    120,
    0,
    'Seconds to keep serving after SIGTERM while GET /api/health/ready returns 503, so that a proxy can remove the process; 0 stops immediately.',
  ),
  REQUEST_LOG: z
    .enum(['off', 'errors', 'all'])
    .default('off')
    .describe(
      'Requests logged as JSON lines, regardless of LOG_LEVEL: none, 5xx responses, or all. Lines contain no account, address, token or query.',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .regex(/^https?:\/\//, 'must be an http(s) URL')
    .transform((value) => value.replace(/\/+$/, ''))
    .optional()
    .describe('OpenTelemetry collector (OTLP over HTTP), such as http://127.0.0.1:4318. Default: no traces.'),
  OTEL_EXPORTER_OTLP_HEADERS: key('Headers for the collector: "name=value" separated by ",", such as an API key.'),
  OTEL_SERVICE_NAME: z.string().min(1).default('meridian').describe('Name of this service in traces.'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('Share of requests and jobs traced, from 0 to 1. An incoming traceparent takes precedence.'),
};

/** The simulated market, shared by the processes of one demo. */
export const DEMO_SETTINGS = {
  DEMO_MARKET_URL: z
    .url()
    .refine(isLoopback, 'must be an address on this machine')
    .optional()
    .describe(
      'Address of a separate simulated market (npm run sandbox with the seed of the database), for a demo with several processes. Default: each process runs its own.',
    ),
};

/** Connection limits per network. */
export const BOUND_SETTINGS = {
  CONNECTIONS_PER_NETWORK: integer(
    0,
    1_000_000,
    500,
    'Open connections allowed per network (/24, IPv6 /48) to a process without a proxy in front; 0 is unlimited.',
  ),
  STREAMS_PER_NETWORK: integer(
    0,
    1_000_000,
    300,
    'Live streams allowed per network (/24, IPv6 /48) and process, not limited for this machine; 0 is unlimited.',
  ),
};

/** Settings that administrators may change while the product runs, in addition to those of other parts. */
export const RUN_SETTINGS = {
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Minimum log level.'),
  SIGN_UPS: z
    .enum(['open', 'closed'])
    .default('open')
    .describe('Whether sign-ups are open. Existing accounts can always sign in.'),
  ERROR_LOG_DAYS: integer(1, 365, 30, 'Retention of error log entries, in days.'),
};

export const SECRET_SETTINGS = {
  SECRET_KEY: z
    .string()
    .min(32)
    .optional()
    .describe(
      'Encrypts emails, second factors and similar values in the database; at least 32 characters. Default: DATA_DIR/secret.key, created on first start. To change it, use npm run secrets:rotate.',
    ),
  SECRET_KEY_PREVIOUS: z
    .string()
    .min(32)
    .optional()
    .describe(
      'Previous secret keys separated by ",", still accepted for decryption and signatures. Set it while rotating SECRET_KEY, and for as long as links in earlier emails should work.',
    ),
};

const isScript = (value: string) => URL.canParse(value) && new URL(value).protocol === 'https:';

/** How the pages appear publicly. */
export const SITE_SETTINGS = {
  PUBLIC_URL: z
    .url()
    .optional()
    .describe('Public URL of the site, for email links and canonical tags. Default: the listening address.'),
  CDN_TAGS: z
    .enum(['surrogate-key', 'cache-tag', 'none'])
    .default('surrogate-key')
    .describe(
      'Header with cache tags on public responses, for purging a CDN: surrogate-key (space-separated) or cache-tag (comma-separated).',
    ),
  ANALYTICS_SCRIPT_URL: z
    .string()
    .refine(isScript, 'must be an https:// URL')
    .optional()
    .describe(
      'Analytics script, https only. Loaded on public pages, never on account pages, on this machine or in a private network. It can read this site’s browser storage, so use a script you trust. Trusted Types apply: injected markup or scripts are blocked. The Privacy Policy names its host. Default: none.',
    ),
};

const CRON = /^[\d*,/-]+( [\d*,/-]+){4}$/;
export const cronList = (fallback: string, about: string) =>
  z
    .string()
    .default(fallback)
    .transform((value) => value.split(';').map((part) => part.trim()))
    .refine((parts) => parts.every((part) => CRON.test(part)), 'must be cron expressions separated by ";"')
    .describe(about);

export function areNameServers(text: string): boolean {
  try {
    new Resolver().setServers(text.split(','));
    return true;
  } catch {
    return false;
  }
}
