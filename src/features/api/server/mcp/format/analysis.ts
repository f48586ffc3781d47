import { recordLine } from '#features/analysis/contract/brief.ts';
import type { Replay } from '#features/analysis/contract/replay.ts';
import type { readAnalysis, readAnalyticsCorrelation, readPredictions } from '#features/api/contract/api.ts';
import type {
  readCoinRanges,
  readForecaster,
  readLeague,
  readRangesRecord,
  readTrackRecord,
  readTrackRecordCalls,
  readTrackRecordReplay,
  submitForecasts,
} from '#features/api/contract/api-record.ts';
import { hasOrigin } from '#shared/figures.ts';
import { price } from '#shared/format.ts';
import { standInName } from '#shared/stand-ins.ts';

import { agoText, cited, figureLines, lines, type ToolFormatter, type ToolReply } from '../format.ts';

const NONE = 'No analysis yet.';
const between = ({ low, high }: { low: number; high: number }): string => `${price(low)} to ${price(high)}`;
const whole = (value: number | null): string => (value === null ? 'unknown' : `${value.toFixed(0)}%`);

export function formatAnalysis({ aiAnalysis }: ToolReply<typeof readAnalysis>, formatter: ToolFormatter): string {
  if (!aiAnalysis) return NONE;
  const { check_point, short_term, medium_term, long_term, providers, ranges, meta } = aiAnalysis;
  const terms = [check_point, short_term, medium_term, long_term].map(
    ({ horizon, market_direction, confidence }) => `${horizon}: ${market_direction}, confidence ${whole(confidence)}`,
  );
  const opinions = Object.values(providers).map(
    ({ name, overall_direction, overall_confidence }) => `${name}: ${overall_direction}, ${whole(overall_confidence)}`,
  );
  const rangeLines = ranges.map(
    ({ provider, crypto_symbol: asset, horizon, range_80, range_95 }) =>
      `${asset} ${horizon} by ${providers[provider]?.name ?? provider}: ${between(range_80)} (80%), ${between(range_95)} (95%)`,
  );
  return [
    `Consensus${cited(meta, formatter)}: ${terms.join('; ')}`,
    `By analyst: ${opinions.join('; ')}`,
    ...(rangeLines.length > 0 ? [`Price ranges in USD at the end of each horizon:\n${rangeLines.join('\n')}`] : []),
    'Opinions, not advice. For the track record, call get_track_record.',
  ].join('\n');
}

const heldText = (name: string, held: ToolReply<typeof readCoinRanges>['ranges'][number]['record']): string =>
  held ? `, ${name}: 80% range coverage ${(100 * held.coverage_80).toFixed(1)}%, n = ${held.n}` : '';

export function formatCoinRanges({ id, ranges }: ToolReply<typeof readCoinRanges>, formatter: ToolFormatter): string {
  if (ranges.length === 0) return `No price ranges for ${id}: too little price history, or a price that barely moves.`;
  return [
    `Price ranges for ${id} in USD at the end of each horizon:`,
    ...ranges.map(
      ({ horizon, price: at, range_80, range_95, record, replay, meta }) =>
        `${horizon}: ${between(range_80)} (80%), ${between(range_95)} (95%), from ${price(at)}${cited(meta, formatter)}${heldText('record', record)}${heldText('replay on past days', replay)}`,
    ),
  ].join('\n');
}

export const formatRangesRecord = (
  { coins, horizons, timestamp }: ToolReply<typeof readRangesRecord>,
  { now }: ToolFormatter,
) =>
  [
    `${coins} coins have daily price ranges (own record, ${agoText(timestamp, now())})`,
    ...horizons.map(
      ({ horizon, record, replay }) =>
        `${horizon}${heldText('record', record)}${heldText('replay on past days', replay)}`,
    ),
  ].join('\n');

export function formatPredictions(set: ToolReply<typeof readPredictions>, { now }: ToolFormatter): string {
  if (set.timestamp === null) return NONE;
  const terms = (['short_term', 'medium_term', 'long_term'] as const).flatMap((name) => {
    const term = set[name];
    return term ? [`${name.replace('_', ' ')}: ${term.market_direction}, confidence ${whole(term.confidence)}`] : [];
  });
  return `Issued ${agoText(set.timestamp, now())} by consensus of the analysts. ${terms.join('; ')}. Opinions, not advice.`;
}

const replayText = (
  { first_day: first, last_day: last, sources, made_at: madeAt, record }: Replay,
  now: Date,
): string =>
  [
    `Replay on past prices, not part of the live record: the built-in analyst from ${first} to ${last} (${sources.join(', ')}, computed ${agoText(madeAt, now)})`,
    ...record.cells.map((cell) => {
      const { word, rest } = recordLine(cell);
      return `Replay ${cell.horizon}: ${word}${rest}`;
    }),
  ].join('\n');

export const formatReplay = ({ replay }: ToolReply<typeof readTrackRecordReplay>, { now }: ToolFormatter): string =>
  replay ? replayText(replay, now()) : 'No replay yet.';

function liveRecord(record: ToolReply<typeof readTrackRecord>, now: Date): string {
  const { total_predictions, overall_accuracy, headline, timestamp } = record;
  if (total_predictions === 0) return 'No predictions graded yet.';
  const first = `${total_predictions} graded predictions, accuracy ${whole(overall_accuracy)} (own ledger, ${agoText(timestamp, now)}).`;
  if (!headline) return first;
  const { provider, model, horizon, verdict, n, skill } = headline;
  const gain = skill === null ? '' : `, skill ${skill.toFixed(3)} (0 equals the best baseline)`;
  return `${first}\nLargest sample: ${standInName(model) ?? `${provider} ${model}`} at ${horizon}: ${verdict}, n ${n}${gain}.`;
}

/** The live record, then the replay on separate lines. */
export function formatRecord(record: ToolReply<typeof readTrackRecord>, { now, replay }: ToolFormatter): string {
  const past = replay();
  return [`Live record: ${liveRecord(record, now())}`, ...(past ? [replayText(past, now())] : [])].join('\n');
}

export const formatCalls = ({ calls }: ToolReply<typeof readTrackRecordCalls>, { now }: ToolFormatter): string =>
  calls.length === 0
    ? 'No matching predictions.'
    : lines(
        calls.map(
          ({ seq, provider, model, crypto_symbol: asset, horizon, issued_at, probabilities: { up, flat, down } }) =>
            `#${seq} ${asset} ${horizon} by ${standInName(model) ?? provider}, issued ${agoText(issued_at, now())} (own ledger): up ${up.toFixed(2)}, flat ${flat.toFixed(2)}, down ${down.toFixed(2)}`,
        ),
        25,
        'predictions in this answer',
      );

export const formatLeague = ({ forecasters, horizon, total }: ToolReply<typeof readLeague>): string =>
  forecasters.length === 0
    ? 'No forecasters in the open league yet.'
    : lines(
        forecasters.map(({ name, cell }) => {
          const { word, rest } = recordLine(cell ?? undefined);
          return `${name} at ${horizon}: ${word}${rest}`;
        }),
        30,
        `of ${total} forecasters`,
      );

export const formatForecaster = (
  { forecaster, cells }: ToolReply<typeof readForecaster>,
  { now }: ToolFormatter,
): string =>
  [
    `${forecaster.name}: ${forecaster.forecasts} forecasts, ${forecaster.open} open, joined ${agoText(forecaster.joined_at, now())} (own ledger)`,
    ...cells.map((cell) => {
      const { word, rest } = recordLine(cell);
      return `${cell.horizon}: ${word}${rest}`;
    }),
  ].join('\n');

export const formatSubmitted = (
  { forecaster, issued_at, forecasts }: ToolReply<typeof submitForecasts>,
  { now }: ToolFormatter,
) =>
  `Frozen for ${forecaster} ${agoText(issued_at, now())} (own ledger): ${forecasts
    .map(({ seq, asset, horizon, price: at }) => `#${seq} ${asset} ${horizon} from ${price(at)} USD`)
    .join(', ')}.`;

export function formatCorrelation(
  { assets, pairs, days }: ToolReply<typeof readAnalyticsCorrelation>,
  formatter: ToolFormatter,
): string {
  const said = pairs.flatMap((row, i) =>
    row.flatMap(({ value, method, meta }, j) =>
      j > i
        ? [
            `${assets[i]}–${assets[j]} ${value.toFixed(2)}${hasOrigin(meta) ? cited(meta, formatter) : ''}${method === 'default' ? ', stated default, not measured' : ''}`,
          ]
        : [],
    ),
  );
  return `Correlations of daily returns over ${days} days:\n${lines(said, 30, 'pairs')}`;
}

/** All figures of a response with their sources. */
export const formatFigures = (answer: object, formatter: ToolFormatter): string => {
  const said = figureLines(answer, formatter);
  return said.length === 0 ? 'No data yet.' : lines(said, 60, 'figures');
};
