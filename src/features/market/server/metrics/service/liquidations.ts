import { errorMessage } from '#kernel/errors.ts';
import { SourceError } from '#kernel/http/source-error.ts';

import { type Fence, ignoreLeadershipLost, noFence } from '#kernel/leader.ts';
import type { MetricsContext } from '../context.ts';
import { CLOSE_STREAMS, type CloseStream, type ContractSizes } from '../providers/forced-closes.ts';
import { okxContractSizes, okxPastCloses } from '../providers/okx.ts';
import { startVenueSocket, type VenueSocket } from '../providers/venue-socket.ts';
import { saveObservations } from '../store.ts';
import {
  createLiquidationTally,
  floorToHour,
  HOUR_MS,
  type LiquidationTally,
  storedCloses,
} from './liquidation-tally.ts';

const FLUSH_MS = 20_000;
const PAST_HOURS = 24;
/** Minimum interval between requests for past liquidations. */
const REFILL_MS = 60_000;
const LONGEST_PAUSE_MS = 10 * 60_000;

type Venue = { source: string; tally: LiquidationTally; socket: VenueSocket; coveredTo: number | null };
type Timing = { flushMs?: number; pingMs?: number; silentAfterMs?: number; fence?: Fence };

export type Liquidations = {
  /** Writes the counts; runs every 20 s. */
  flush: () => Promise<void>;
  isUp: (source: string) => boolean;
  stop: () => Promise<void>;
};

/**
 * Counts liquidations of the futures assets on every venue that streams them, per hour and in USD. A monitored hour
 * without any is a zero, an unmonitored one is not stored.
 */
export async function startLiquidations(ctx: MetricsContext, timing: Timing = {}): Promise<Liquidations> {
  const { flushMs = FLUSH_MS, fence = noFence, ...socketTiming } = timing;
  const stopping = new AbortController();
  const nowMs = () => ctx.now().getTime();
  const streams = CLOSE_STREAMS.filter(({ source }) => ctx.sources.isOn(source));
  const tallies = new Map(streams.map(({ source }) => [source, createLiquidationTally()]));
  let sizes: ContractSizes = new Map();

  const stored = async (source: string, from: number) => {
    const { longs, shorts } = await storedCloses(ctx, from);
    return [...longs, ...shorts].filter((row) => row.source === source);
  };
  for (const [source, tally] of tallies) tally.seed(await stored(source, floorToHour(nowMs()) - HOUR_MS));

  let filledAt: number | null = null;
  let triedAt = 0;
  /** Past data from OKX fills the hours before the stream was open. */
  async function fillFromOkx(tally: LiquidationTally): Promise<void> {
    const started = nowMs();
    triedAt = started;
    const wanted = floorToHour(started) - PAST_HOURS * HOUR_MS;
    const from = filledAt === null ? wanted : Math.max(wanted, floorToHour(filledAt) - HOUR_MS);
    const past = await okxPastCloses(ctx.sources.client('okx'), new Date(from), sizes, stopping.signal);
    if (past) {
      tally.seed(await stored('okx', past.wholeFrom.getTime()));
      tally.replace(past.closes, past.wholeFrom.getTime(), started);
    }
    filledAt = started;
  }
  /** After every connection, and once per hour for gaps within one. */
  function refill({ source, tally }: Pick<Venue, 'source' | 'tally'>): void {
    if (source !== 'okx' || sizes.size === 0) return;
    if (nowMs() - triedAt > REFILL_MS) fillFromOkx(tally).catch(failed('Failed to read past liquidations'));
  }

  function open(stream: CloseStream, tally: LiquidationTally): Venue {
    const { source } = stream;
    const isOkx = source === 'okx';
    const venue: Omit<Venue, 'socket'> = { source, tally, coveredTo: null };
    const socket = startVenueSocket({
      name: ctx.sources.nameOf(source),
      url: stream.url(ctx.config),
      subscribe: stream.subscribe,
      ping: stream.ping,
      ...socketTiming,
      ...(isOkx
        ? {
            prepare: async (signal) => {
              if (sizes.size === 0) sizes = await okxContractSizes(ctx.sources.client('okx'), signal);
            },
          }
        : {}),
      onMessage: (message) => tally.add(stream.parse(message, sizes), nowMs()),
      onUp() {
        venue.coveredTo = nowMs();
        ctx.sources.succeeded(source);
        refill(venue);
      },
      onDown(error) {
        mark(venue);
        venue.coveredTo = null;
        ctx.sources.failed(source, error);
      },
    });
    return Object.assign(venue, { socket });
  }

  function mark(venue: Omit<Venue, 'socket'>): void {
    if (venue.coveredTo === null) return;
    const now = nowMs();
    // A suspended process has received nothing in the meantime.
    if (now - venue.coveredTo <= LONGEST_PAUSE_MS) venue.tally.cover(venue.coveredTo, now);
    venue.coveredTo = now;
  }

  const failed = (what: string) =>
    ignoreLeadershipLost((error) => {
      if (error instanceof SourceError || stopping.signal.aborted) ctx.log.debug({ error: errorMessage(error) }, what);
      else ctx.report('metrics.liquidations', 'data_collection', `${what} failed`, error);
    });

  const venues = streams.map((stream) => open(stream, tallies.get(stream.source) ?? createLiquidationTally()));

  async function write({ source, tally }: Venue): Promise<void> {
    const fetchedAt = ctx.now();
    const method = ctx.mode === 'demo' ? 'demo' : 'measured';
    const rows = tally.changes().map((row) => ({ ...row, source, fetchedAt, method }) as const);
    if (rows.length === 0) return;
    try {
      await ctx.db.transaction().execute(async (tx) => {
        await fence(tx);
        await saveObservations(tx, rows);
      });
    } catch (error) {
      tally.again();
      throw error;
    }
    tally.forget(floorToHour(nowMs()) - HOUR_MS);
  }
  async function flush(): Promise<void> {
    for (const venue of venues) {
      mark(venue);
      if (venue.coveredTo !== null && (filledAt === null || floorToHour(filledAt) < floorToHour(nowMs())))
        refill(venue);
      await write(venue);
    }
  }
  let flushing = Promise.resolve();
  const timer = setInterval(() => {
    flushing = flushing.then(flush).catch(failed('Failed to store liquidations'));
  }, flushMs);

  return {
    flush,
    isUp: (source) => venues.some((venue) => venue.source === source && venue.socket.isUp()),
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await flushing;
      for (const venue of venues) mark(venue);
      await Promise.all(venues.map(({ socket }) => socket.stop()));
      await flush();
    },
  };
}
