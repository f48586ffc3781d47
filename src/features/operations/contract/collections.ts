import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';

export const COLLECTIONS = [
  'market_data',
  'ai_analysis',
  'fear_greed',
  'trending_narratives',
  'upcoming_events',
  'users',
  'subscriptions',
  'error_logs',
] as const;
export const collectionName = z.enum(COLLECTIONS);
export type CollectionName = z.infer<typeof collectionName>;

const counted = z.object({
  collection: collectionName,
  count: z.int(),
  /** Beyond `EXACT_UP_TO` records the count is a database estimate. */
  estimated: z.boolean(),
});
export type CollectionCount = z.infer<typeof counted>;
export const EXACT_UP_TO = 20_000;

export const collectionRecord = z.record(z.string(), z.unknown());
export type CollectionRecord = z.infer<typeof collectionRecord>;

/** Maximum number of records shown per collection. */
export const NEWEST = 100;

export const collectionSummary = z.extend(counted, {
  /** The newest `NEWEST`; with `q` the newest matches. */
  data: z.array(collectionRecord),
  /** Only with `q`: the number of matches among the newest `searched`, which may be the whole collection. */
  found: z.nullable(z.int()),
  searched: z.nullable(z.int()),
});
export type CollectionSummary = z.infer<typeof collectionSummary>;

const LONGEST_SEARCH = 100;
const q = z.optional(z.string().check(z.trim(), z.maxLength(LONGEST_SEARCH)));

/** All collections, or one of them. `q` is searched in the record values, case-insensitively. */
export const listCollections = endpoint({
  method: 'GET',
  path: '/api/admin/collections',
  access: 'admin',
  query: z.object({ collection: z.optional(collectionName), q }),
  reply: z.array(collectionSummary),
});

/** A JSON array of every record, newest first, as `{collection}_export.json`. An interrupted export lacks its end. */
export const exportCollection = endpoint({
  method: 'GET',
  path: '/api/admin/export/:collection',
  access: 'admin',
  params: z.object({ collection: z.string() }),
  reply: z.never(),
});

const direction = z.nullable(z.string());
const term = z.object({ market_direction: z.string(), confidence: z.number(), reasoning: z.string() });
export type AnalysisTerm = z.infer<typeof term>;

/**
 * Directions are null when no analyst responded. The last three fields are those of the short term, for clients without
 * support for terms.
 */
export const listedAnalysis = z.object({
  id: z.nullable(z.string()),
  timestamp: z.nullable(z.iso.datetime()),
  overall_direction: direction,
  overall_confidence: z.nullable(z.number()),
  short_term: z.nullable(term),
  medium_term: z.nullable(term),
  long_term: z.nullable(term),
  /** False when only the analyst without AI responded. */
  ai_generated: z.boolean(),
  opinions: z.array(
    z.object({
      name: z.string(),
      model: z.string(),
      built_in: z.boolean(),
      overall_direction: z.string(),
      overall_confidence: z.number(),
    }),
  ),
  /** Analysts that did not respond. */
  failures: z.array(z.object({ name: z.string(), reason: z.string() })),
  market_direction: direction,
  confidence: z.nullable(z.number()),
  reasoning: z.nullable(z.string()),
});
export type ListedAnalysis = z.infer<typeof listedAnalysis>;

/** Page size of analyses. */
export const ANALYSES_PAGE = 50;

/** Newest first, before the analysis `before`; `q` is searched in the newest `MOST_SEARCHED_ANALYSES`. */
export const listAnalyses = endpoint({
  method: 'GET',
  path: '/api/admin/ai-analysis',
  access: 'admin',
  query: z.object({ q, before: z.optional(z.string().check(z.maxLength(LONGEST_SEARCH))) }),
  reply: z.array(listedAnalysis),
});
export const MOST_SEARCHED_ANALYSES = 2_000;

const perType = z.object({
  api_failure: z.int(),
  data_collection: z.int(),
  authentication: z.int(),
  system: z.int(),
  other: z.int(),
});

/** Key figures for operators, counted at `at`. */
export const overview = z.object({
  at: z.iso.datetime(),
  collections: z.array(counted),
  /** The last seven UTC days, today included, oldest first. */
  signUps: z.array(z.object({ day: z.iso.date(), count: z.int() })),
  /** Accounts by current plan. */
  plans: z.object({ free: z.int(), pro: z.int(), premium: z.int(), admin: z.int() }),
  /** Over the last 24 hours. */
  errors: perType,
  failedJobs: z.int(),
  /** Retained until retried, at most 30 days. */
  failedDeliveries: z.int(),
  failedMails: z.int(),
  unreadMessages: z.int(),
  /** Deposits not matched to an account, in US dollars. */
  suspense: z.object({ count: z.int(), usd: z.string() }),
});
export type Overview = z.infer<typeof overview>;

export const getOverview = endpoint({
  method: 'GET',
  path: '/api/admin/overview',
  access: 'admin',
  reply: overview,
});
