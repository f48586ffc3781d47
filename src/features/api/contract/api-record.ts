import { z } from 'zod/mini';
import { forecasts, frozenForecasts, getForecaster, getLeague } from '#features/analysis/contract/league.ts';
import { backtest, getCalls, recordedCall, trackCell } from '#features/analysis/contract/predictions.ts';
import { replay } from '#features/analysis/contract/replay.ts';
import { coinRangesRecord, getCoinRanges } from '#features/market/contract/coin-ranges.ts';
import { atMoment, page, plain } from '#shared/api-queries.ts';
import { endpoint } from '#shared/contract.ts';
import { dataMode } from '#shared/provenance.ts';
import { asOf, nextCursor, read, timestamp } from './api.ts';

/** Without curves, assets and pools for a past moment: these are not stored. */
const cell = z.extend(trackCell, {
  calibration: z.optional(trackCell.shape.calibration),
  assets: z.optional(trackCell.shape.assets),
});

export const readTrackRecord = read(
  '/api/v1/track-record',
  'analysis',
  atMoment,
  z.extend(backtest, {
    dataMode,
    /** Whether each of the newest 40 calls was a hit, newest first. */
    recent_hits: z.array(z.boolean()),
    headline: z.nullable(cell),
    cells: z.array(cell),
    pools: z.optional(backtest.shape.pools),
    asOf,
  }),
);

/** Newest first. */
export const readTrackRecordCalls = read(
  '/api/v1/track-record/calls',
  'analysis',
  z.extend(z.omit(getCalls.query, { before: true }), page(100, 25).shape),
  z.object({ timestamp, dataMode, calls: z.array(recordedCall), nextCursor }),
);

/** Forecasts of the built-in analyst replayed over past days; null without a replay. */
export const readTrackRecordReplay = read(
  '/api/v1/track-record/replay',
  'analysis',
  plain,
  z.object({ dataMode, replay: z.nullable(replay) }),
);

/** Price ranges of one coin, and the hit rate of earlier ones. */
export const readCoinRanges = endpoint({
  method: 'GET',
  path: '/api/v1/crypto-prices/:id/ranges',
  access: 'public',
  scope: 'analysis',
  params: getCoinRanges.params,
  query: plain,
  reply: z.object({ timestamp, dataMode, ...getCoinRanges.reply.shape }),
});

/** Hit rate of the daily ranges of all coins except the five assets, live and replayed. */
export const readRangesRecord = read(
  '/api/v1/track-record/ranges',
  'analysis',
  plain,
  z.extend(coinRangesRecord, { dataMode }),
);

/** Frozen in the public ledger on arrival, all or none; one per asset, horizon and UTC day. */
export const submitForecasts = endpoint({
  method: 'POST',
  path: '/api/v1/forecasts',
  access: 'public',
  scope: 'forecasts:write',
  body: forecasts,
  reply: z.extend(frozenForecasts, { dataMode }),
});

/** The first 100 forecasters of the open league. */
export const readLeague = read(
  '/api/v1/league',
  'analysis',
  z.extend(getLeague.query, plain.shape),
  z.extend(getLeague.reply, { dataMode }),
);

export const readForecaster = endpoint({
  method: 'GET',
  path: '/api/v1/league/:name',
  access: 'public',
  scope: 'analysis',
  params: getForecaster.params,
  query: plain,
  reply: z.extend(getForecaster.reply, { dataMode }),
});
