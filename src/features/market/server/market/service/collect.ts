import { marketTopic } from '#features/market/contract/market.ts';
import { SourceError } from '#kernel/http/source-error.ts';
import type { MarketContext } from '../context.ts';
import { methodIn } from '../names.ts';
import { PRICE_OBSERVATIONS } from '../schema.ts';
import { mergeMinutes } from '../store/candles.ts';
import { knownCoins, lastSparklineAt, recordCollection, saveListing } from '../store/listing.ts';
import type { Listing } from '../types.ts';
import { buildMinuteCandles } from './ticks.ts';

const SPARKLINE_EVERY_MS = 3_600_000;
/** A list shorter than this share of the request does not count as evidence that coins are gone. */
const COMPLETE_SHARE = 0.9;
/** An abandoned coin may have a price from years ago: it is shown with its age, but not stored as an observation. */
const OBSERVED_WITHIN_MS = 3 * 86_400_000;
/** A list whose newest observation is older than this is frozen. */
const FROZEN_MS = 15 * 60_000;

/** The full lane and the listing lane start together on the hour: one list serves both. */
const SAME_LIST_MS = 45_000;
const lists = new WeakMap<MarketContext, { begun: number; ended: boolean; listing: Promise<Listing> }>();

/** The price list; concurrent callers share one request. */
export function collectListing(ctx: MarketContext, signal: AbortSignal): Promise<Listing> {
  const last = lists.get(ctx);
  if (last && !last.ended) return last.listing;
  const entry = { begun: ctx.now().getTime(), ended: false, listing: collect(ctx, signal) };
  lists.set(ctx, entry);
  entry.listing.then(
    () => {
      entry.ended = true;
    },
    () => void lists.delete(ctx),
  );
  return entry.listing;
}

const isJustRead = (ctx: MarketContext) => {
  const last = lists.get(ctx);
  return last?.ended === true && ctx.now().getTime() - last.begun < SAME_LIST_MS;
};

/** Reads the price list from the first available source, stores it and notifies every process. */
async function collect(ctx: MarketContext, signal: AbortSignal): Promise<Listing> {
  const listing = await readListing(ctx, signal);
  const marked = { ...listing, method: methodIn(ctx.mode, listing.method) };
  const times = listing.coins.map((coin) => coin.observedAt.getTime());
  const observationsFrom = new Date(ctx.now().getTime() - OBSERVED_WITHIN_MS);
  await ctx.partitions.ensure(
    PRICE_OBSERVATIONS,
    new Date(Math.max(Math.min(...times), observationsFrom.getTime())),
    ctx.now(),
  );
  const complete = listing.coins.length >= ctx.config.COIN_LIMIT * COMPLETE_SHARE;
  await saveListing(ctx.db, marked, { complete, finishedAt: ctx.now(), observationsFrom });
  const candles = await buildMinuteCandles(ctx, marked);
  await mergeMinutes(ctx.db, candles);
  await ctx.sources.save();
  const changed: ('dashboard' | 'sparklines' | 'sources')[] = ['dashboard', 'sources'];
  if (marked.coins.some((coin) => coin.sparkline)) changed.push('sparklines');
  await ctx.live.publish(marketTopic, { at: ctx.now().getTime(), changed });
  return marked;
}

/** The full collection: the current list, and a timestamp shown on the page. The analysis is triggered by it. */
export async function collectAll(ctx: MarketContext, anew: boolean, signal: AbortSignal): Promise<void> {
  if (anew || !isJustRead(ctx)) await collectListing(ctx, signal);
  await recordCollection(ctx.db, 'full', ctx.now());
  await ctx.live.publish(marketTopic, { at: ctx.now().getTime(), changed: ['dashboard'] });
}

async function readListing(ctx: MarketContext, signal: AbortSignal): Promise<Listing> {
  const known = await knownCoins(ctx.db);
  const lastSparkline = await lastSparklineAt(ctx.db);
  const sparkline = lastSparkline === null || ctx.now().getTime() - Date.parse(lastSparkline) >= SPARKLINE_EVERY_MS;
  const failures: string[] = [];
  let frozen: Listing | null = null;
  for (const provider of ctx.listings) {
    try {
      const listing = await provider.list({ limit: ctx.config.COIN_LIMIT, sparkline, known, signal });
      if (listing.coins.length === 0) throw new SourceError('body', `${provider.source} sent an empty list`);
      const newest = Math.max(...listing.coins.map((coin) => coin.observedAt.getTime()));
      const ageMs = ctx.now().getTime() - newest;
      if (ageMs <= FROZEN_MS) return listing;
      ctx.sources.stale(
        provider.source,
        `Responding, but its latest price is ${Math.round(ageMs / 60_000)} minutes old`,
      );
      failures.push(`${provider.source}: data is not updating`);
      frozen ??= listing;
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      if (error.kind === 'body') ctx.sources.failed(provider.source, error);
      failures.push(error.message);
    }
  }
  if (frozen) return frozen;
  if (await ctx.sources.save()) {
    await ctx.live.publish(marketTopic, { at: ctx.now().getTime(), changed: ['dashboard', 'sources'] });
  }
  throw new SourceError('network', `No source returned a price list: ${failures.join('; ')}`);
}
