import { z } from 'zod';

/**
 * Details stored with a `narrative.<id>` observation beside its volume: everything needed to show it as it was. USD and
 * percent.
 */
export const narrativeDetail = z.object({
  name: z.string(),
  market_cap: z.number().nullable(),
  market_cap_change_24h: z.number().nullable(),
  /** Rank among the trending categories, from 1; null when not among them. */
  trending: z.number().int().nullable(),
  /** How old the figures of the coins are. */
  coins_at: z.iso.datetime(),
  /** When its coins were read from CoinGecko. */
  members_at: z.iso.datetime().optional(),
  /** The five largest. */
  coins: z.array(
    z.object({
      id: z.string(),
      symbol: z.string(),
      name: z.string(),
      price: z.number(),
      change_24h: z.number().nullable(),
      market_cap: z.number().nullable(),
      volume_24h: z.number().nullable(),
    }),
  ),
  /** Every coin read: id, cap, 24h change. */
  members: z.array(z.tuple([z.string(), z.number().nullable(), z.number().nullable()])),
});
export type NarrativeDetail = z.output<typeof narrativeDetail>;

/**
 * Computed facts of a narrative, stored as `narrative.<id>.change`, whose value is the cap-weighted 24h change in
 * percent.
 */
export const narrativeFacts = z.object({
  market_change_24h: z.number().nullable(),
  relative_sigma: z.number().nullable(),
  volume_share: z.number().nullable(),
  volume_z: z.number().nullable(),
  volume_days: z.number().int(),
  breadth: z.number().nullable(),
  rising: z.number().int(),
  known: z.number().int(),
  volatility: z.number().nullable(),
});
export type NarrativeFacts = z.output<typeof narrativeFacts>;

export const NARRATIVE = 'narrative.';
export const narrativeMetric = (id: string): string => `${NARRATIVE}${id}`;
export const changeMetric = (id: string): string => `${NARRATIVE}${id}.change`;
/** The category of a `narrative.<id>` metric; undefined for computed ones. */
export const parseCategory = (metric: string): string | undefined => /^narrative\.([a-z0-9_-]+)$/.exec(metric)?.[1];
