import { z } from 'zod/mini';

import { aiAnalysis } from '#features/analysis/contract/analysis.ts';
import { backtestSummary } from '#features/analysis/contract/predictions.ts';
import { upcomingCounts, upcomingEvent } from '#features/events/contract.ts';
import { layer1Data } from '#features/market/contract/layer1.ts';
import { cryptoPrice, marketTotals, sourceHealth } from '#features/market/contract/market.ts';
import { advancedMetrics } from '#features/market/contract/metrics.ts';
import { narrative } from '#features/market/contract/narratives.ts';
import { endpoint, plan } from '#shared/contract.ts';
import { figureOrigin } from '#shared/figures.ts';
import { dataMode } from '#shared/provenance.ts';

/** The only personal part of the payload: null for an anonymous visitor. */
export const subscriptionStatus = z.nullable(z.object({ plan, planName: z.string() }));

/** Parts filled by a later collection are absent until available, never made up. */
export const dashboard = z.object({
  timestamp: z.iso.datetime(),
  dataMode,
  subscriptionStatus,
  lastCollectionTime: z.nullable(z.iso.datetime()),
  nextCollectionTime: z.nullable(z.iso.datetime()),
  cryptoPrices: z.array(cryptoPrice),
  totals: marketTotals,
  sources: z.array(sourceHealth),
  upcomingEvents: z.optional(z.array(upcomingEvent)),
  upcomingCounts: z.optional(upcomingCounts),
  trendingNarratives: z.optional(z.array(narrative)),
  advancedMetrics: z.optional(advancedMetrics),
  layer1Data: z.optional(layer1Data),
  aiAnalysis: z.optional(aiAnalysis),
  backtestResults: z.optional(backtestSummary),
  /** Set when the payload reconstructs a past moment from stored observations. */
  asOf: z.optional(z.iso.datetime()),
});
export type Dashboard = z.infer<typeof dashboard>;

export const getDashboard = endpoint({
  method: 'GET',
  path: '/api/dashboard',
  access: 'public',
  query: z.object({ asOf: z.optional(z.iso.datetime()) }),
  reply: dashboard,
});

/** What changed since a moment, in one short sentence with the provenance of its figures. */
export const change = z.object({
  kind: z.enum(['coin', 'market', 'consensus', 'release', 'alerts', 'source']),
  text: z.string(),
  tone: z.enum(['up', 'down', 'warning', 'neutral']),
  /** The app page with more details. */
  href: z.string(),
  meta: figureOrigin,
});
export type Change = z.infer<typeof change>;

/**
 * At most three changes, the most important ones. `since` is rounded down to ten minutes; the default is 24 hours ago.
 */
export const getChanges = endpoint({
  method: 'GET',
  path: '/api/changes',
  access: 'public',
  query: z.object({
    since: z.optional(z.iso.datetime({ error: 'must be an ISO time such as 2026-11-20T12:00:00Z' })),
  }),
  reply: z.object({ timestamp: z.iso.datetime(), since: z.iso.datetime(), changes: z.array(change) }),
});
export type Changes = z.infer<(typeof getChanges)['reply']>;

/** What the server renders of `/app` besides its seed. The browser keeps it until the dashboard is loaded. */
export type AppView = Pick<Dashboard, 'aiAnalysis' | 'backtestResults'>;
