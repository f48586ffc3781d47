import { z } from 'zod/mini';

import { endpoint, topic } from '#shared/contract.ts';

export const BASIC_TYPES = [
  'crypto_prices',
  'market_data',
  'fear_greed',
  'narratives',
  'ai_analysis',
  'all_data',
] as const;
export const ADVANCED_TYPES = [
  'crypto_prices',
  'market_data',
  'ai_analysis',
  'fear_greed',
  'narratives',
  'alerts',
  'backtest_results',
  'all_data',
] as const;
export const exportType = z.enum(ADVANCED_TYPES);
export type ExportType = z.infer<typeof exportType>;

export const BASIC_FORMATS = ['csv', 'json', 'xlsx'] as const;
export const ADVANCED_FORMATS = ['csv', 'json', 'xlsx', 'pdf', 'xml'] as const;
export const exportFormat = z.enum(ADVANCED_FORMATS);
export type ExportFormat = z.infer<typeof exportFormat>;

export const BASIC_RANGES = ['1d', '7d', '30d', '90d', '1y', 'all'] as const;
export const ADVANCED_RANGES = ['1d', '7d', '30d', '90d', '1y', 'all', 'custom'] as const;
export const exportRange = z.enum(ADVANCED_RANGES);
export type ExportRange = z.infer<typeof exportRange>;

/** Accompanies every file, so that anyone can verify it. */
export const manifest = z.object({
  file: z.string(),
  format: exportFormat,
  /** Of the file's bytes. */
  sha256: z.string(),
  bytes: z.int(),
  rows: z.int(),
  createdAt: z.iso.datetime(),
  dataMode: z.enum(['live', 'demo']),
  query: z.object({
    dataTypes: z.array(exportType),
    dateRange: exportRange,
    from: z.nullable(z.iso.datetime()),
    to: z.iso.datetime(),
  }),
  tables: z.array(
    z.object({
      name: z.string(),
      rows: z.int(),
      /** What one row represents, such as 'one coin and hour'. */
      grain: z.string(),
      columns: z.array(z.object({ name: z.string(), type: z.string(), unit: z.nullable(z.string()) })),
      sources: z.array(z.object({ source: z.string(), newestAt: z.nullable(z.iso.datetime()) })),
    }),
  ),
  /** Notes for the reader, such as rows omitted by a limit. */
  notes: z.array(z.string()),
});
export type Manifest = z.infer<typeof manifest>;

export const exportState = z.enum(['waiting', 'running', 'done', 'failed', 'cancelled', 'expired']);
export type ExportState = z.infer<typeof exportState>;

/**
 * One export as listed. `type` is the display name of its data; `file_size` is in bytes, null until the file exists.
 */
export const exportItem = z.object({
  id: z.string(),
  type: z.string(),
  data_types: z.array(exportType),
  dateRange: exportRange,
  from: z.nullable(z.iso.datetime()),
  to: z.iso.datetime(),
  format: exportFormat,
  compression: z.boolean(),
  created_at: z.iso.datetime(),
  file_size: z.nullable(z.int()),
  file_name: z.nullable(z.string()),
  rows: z.nullable(z.int()),
  sha256: z.nullable(z.string()),
  state: exportState,
  /** 0 to 1 while in progress. */
  progress: z.number(),
  /** Why there is no file, in one sentence. */
  error: z.nullable(z.string()),
  /** When the file is deleted. */
  expires_at: z.nullable(z.iso.datetime()),
  /** The schedule that created it. */
  schedule_id: z.nullable(z.int()),
});
export type ExportItem = z.infer<typeof exportItem>;

/** Messages for signed-out users and for the free plan. */
const refusal = [
  'Authentication required. Please log in to access data export features.',
  'Premium subscription required. Data export is only available for Pro, Premium users, or administrators.',
] as const;

const day = z.iso.date('Dates must be written as 2026-01-31');

/** `dataType` is the body of the basic page, `dataTypes` that of the advanced one; sending both is refused. */
export const createExport = endpoint({
  method: 'POST',
  path: '/api/exports/create',
  access: 'pro',
  refusal,
  body: z.strictObject({
    dataType: z.optional(exportType),
    dataTypes: z.optional(z.array(exportType).check(z.minLength(1, 'Choose at least one data type'), z.maxLength(8))),
    dateRange: exportRange,
    /** First and last day (UTC) of a custom range, both included. */
    startDate: z.optional(day),
    endDate: z.optional(day),
    format: exportFormat,
    includeMetadata: z.optional(z.boolean()),
    compression: z.optional(z.boolean()),
  }),
  /** Response for a large export (202). A small one returns the file (200), with its id in the header `x-export-id`. */
  reply: z.object({ id: z.string(), status: exportState, url: z.string() }),
});

/** Newest first, at most a hundred. */
export const listExports = endpoint({
  method: 'GET',
  path: '/api/exports/history',
  access: 'pro',
  refusal,
  reply: z.array(exportItem),
});

export const exportStatistics = endpoint({
  method: 'GET',
  path: '/api/exports/statistics',
  access: 'pro',
  refusal,
  reply: z.object({
    total: z.int(),
    thisMonth: z.int(),
    totalMb: z.number(),
    /** Exports on this UTC day and the plan's limit; null is unlimited. */
    today: z.int(),
    perDay: z.nullable(z.int()),
    resetsAt: z.iso.datetime(),
  }),
});

const exportParams = z.object({ id: z.uuid('Unknown export') });

export const getExport = endpoint({
  method: 'GET',
  path: '/api/exports/:id',
  access: 'pro',
  refusal,
  params: exportParams,
  reply: exportItem,
});

/** Returns the file; `Range` resumes an interrupted download. */
export const getExportFile = endpoint({
  method: 'GET',
  path: '/api/exports/:id/file',
  access: 'pro',
  refusal,
  params: exportParams,
  reply: z.never(),
});

export const getManifest = endpoint({
  method: 'GET',
  path: '/api/exports/:id/manifest',
  access: 'pro',
  refusal,
  params: exportParams,
  reply: manifest,
});

/** Cancels an export in progress, or deletes the file of a finished one. */
export const deleteExport = endpoint({
  method: 'DELETE',
  path: '/api/exports/:id',
  access: 'pro',
  refusal,
  params: exportParams,
  reply: z.object({ success: z.literal(true) }),
});

/** Progress of a user's exports. */
export const exportsTopic = topic({
  name: 'exports',
  access: 'pro',
  data: z.object({ id: z.string(), state: exportState, progress: z.number() }),
});

export const cadence = z.enum(['daily', 'weekly', 'monthly']);
export type Cadence = z.infer<typeof cadence>;

export const scheduledExport = z.object({
  id: z.int(),
  name: z.string(),
  schedule: cadence,
  format: exportFormat,
  dataTypes: z.array(exportType),
  dateRange: exportRange,
  emailNotification: z.boolean(),
  /** IANA name; the export runs at `hour` o'clock in this zone. */
  timeZone: z.string(),
  hour: z.int(),
  /** 'paused': the plan no longer includes it. */
  state: z.enum(['active', 'paused']),
  nextRunAt: z.nullable(z.iso.datetime()),
  lastRun: z.nullable(
    z.object({
      at: z.iso.datetime(),
      state: exportState,
      exportId: z.nullable(z.string()),
      error: z.nullable(z.string()),
    }),
  ),
});
export type ScheduledExport = z.infer<typeof scheduledExport>;

export const listScheduled = endpoint({
  method: 'GET',
  path: '/api/exports/scheduled',
  access: 'pro',
  reply: z.array(scheduledExport),
});

export const scheduleExport = endpoint({
  method: 'POST',
  path: '/api/exports/schedule',
  access: 'premium',
  body: z.strictObject({
    dataTypes: z.array(exportType).check(z.minLength(1, 'Choose at least one data type'), z.maxLength(8)),
    dateRange: z.enum(BASIC_RANGES, 'A schedule needs a rolling range'),
    format: exportFormat,
    schedule: cadence,
    emailNotification: z.boolean(),
    includeMetadata: z.optional(z.boolean()),
    compression: z.optional(z.boolean()),
    timeZone: z.optional(z.string().check(z.maxLength(64))),
    hour: z.optional(z.int().check(z.minimum(0), z.maximum(23))),
  }),
  reply: z.object({ success: z.literal(true), message: z.string(), scheduled: scheduledExport }),
});

export const cancelScheduled = endpoint({
  method: 'DELETE',
  path: '/api/exports/scheduled/:id',
  access: 'pro',
  params: z.object({ id: z.coerce.number().check(z.int(), z.positive()) }),
  reply: z.object({ success: z.literal(true) }),
});

/**
 * Report branding of a Premium+ account: null means the default. `logo` is a data URL of a PNG or JPEG, `colour` as
 * #1a2b3c.
 */
export const whiteLabel = z.object({
  name: z.nullable(z.string()),
  logo: z.nullable(z.string()),
  colour: z.nullable(z.string()),
});
export type WhiteLabel = z.infer<typeof whiteLabel>;

export const getWhiteLabel = endpoint({
  method: 'GET',
  path: '/api/exports/white-label',
  access: 'premium',
  reply: whiteLabel,
});

export const saveWhiteLabel = endpoint({
  method: 'PUT',
  path: '/api/exports/white-label',
  access: 'premium',
  body: z.strictObject({
    name: z.nullable(z.string().check(z.trim(), z.minLength(1, 'Enter a name or leave it empty'), z.maxLength(60))),
    logo: z.nullable(
      z
        .string()
        .check(
          z.maxLength(200_000, 'The logo must be 150 kB or smaller'),
          z.regex(/^data:image\/(png|jpeg);base64,[A-Za-z0-9+/]+=*$/, 'The logo must be a PNG or JPEG'),
        ),
    ),
    colour: z.nullable(z.string().check(z.regex(/^#[0-9a-f]{6}$/i, 'Enter a color such as #1a2b3c'))),
  }),
  reply: whiteLabel,
});
