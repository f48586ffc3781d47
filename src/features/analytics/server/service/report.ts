import type { z } from 'zod/mini';

import type { exportAnalytics } from '#features/analytics/contract.ts';
import { INTERVAL_WORDS } from '#features/analytics/names.ts';
import type { Candles } from '#features/market/contract/market.ts';
import { candlesBetween, readChart } from '#features/market/server/market/service.ts';
import type { BackgroundThread } from '#kernel/background-thread.ts';
import type { Branding } from '#kernel/files/table.ts';
import type { BufferedFile, Caller } from '#kernel/route.ts';
import { BRAND } from '#shared/brand.ts';
import { dateTime } from '#shared/format.ts';
import { type AnalyticsContext, type AnalyticsDeps, fromPast } from '../context.ts';
import type { Report, ReportOrder } from '../report/make.ts';
import {
  backtestTable,
  candleTables,
  correlationTable,
  derivativesTable,
  onchainTable,
  riskTable,
  rollingTable,
  sentimentTable,
  summaryTable,
  type WholeTable,
} from '../report/tables.ts';
import { readMatrix, readRisk, readRollingVolatility } from './risk.ts';
import { readSummary } from './summary.ts';

const WINDOWS = [30, 90, 365] as const;
const MODULE = new URL('../report/make.ts', import.meta.url).href;
const FILE = BRAND.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

type Asked = z.infer<(typeof exportAnalytics)['body']>;
type Deps = { thread: BackgroundThread; requestBackfill: (coinId: string) => Promise<void>; look: Branding };

/** The analytics of one asset as a file, created off the event loop. */
export async function exportReport(
  ctx: AnalyticsDeps,
  asked: Asked,
  { plan }: Caller,
  { thread, requestBackfill, look }: Deps,
): Promise<BufferedFile> {
  const { asset, timeframe, chartType, format } = asked;
  const madeAt = ctx.now();
  const { chart, tables } = await fromPast(
    ctx,
    async (past) => {
      const chart = await readChart(past.market.ctx, { symbol: asset, interval: timeframe, plan }, requestBackfill);
      return { chart, tables: await buildTables(past, asset, chart) };
    },
    { fresh: true },
  );
  const order: ReportOrder = {
    format,
    fileName: `${FILE}-analytics-${asset}-${timeframe}-${madeAt.toISOString().slice(0, 10)}`,
    head: {
      title: `${asset} analytics, ${INTERVAL_WORDS[timeframe]}`,
      madeAt,
      dataMode: ctx.mode,
      notes: chartNotes(chart),
      metadata:
        format === 'pdf'
          ? null
          : { asset, timeframe, chartType, candles: chart.meta, gaps: chart.gaps.length, history: chart.history },
      look,
    },
    chartTitle: `${asset} in USD, ${INTERVAL_WORDS[timeframe]}, ${chartType}`,
    chart: {
      type: chartType,
      candles: chart.candles,
      slots: chart.candles.map(({ at }) =>
        candlesBetween(timeframe, Date.parse(chart.candles[0]?.at ?? at), Date.parse(at)),
      ),
      byDay: Number.isNaN(Number(timeframe)),
    },
    tables,
  };
  const { fileName, mime, bytes } = await thread.call<Report>(MODULE, 'makeReport', order);
  return { type: mime, fileName, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}

async function buildTables(ctx: AnalyticsContext, asset: Asked['asset'], chart: Candles): Promise<WholeTable[]> {
  const [windows, rolling, matrix] = await Promise.all([
    Promise.all(WINDOWS.map(async (days) => ({ days, rows: await readRisk(ctx, days) }))),
    readRollingVolatility(ctx, asset, 365),
    readMatrix(ctx, 90, 5),
  ]);
  const risk = windows.flatMap(({ days, rows }) => rows.flatMap((row) => (row.asset === asset ? [{ days, row }] : [])));
  const { sentiment, derivatives, onchain } = ctx.metrics.current();
  return [
    summaryTable(readSummary(ctx)),
    riskTable(risk),
    correlationTable(matrix),
    sentimentTable(sentiment),
    derivativesTable(derivatives),
    onchainTable(onchain),
    backtestTable(ctx.predictions.record()),
    ...candleTables(chart),
    rollingTable(rolling),
  ];
}

/** Description of the candles, their age and their gaps. */
function chartNotes({ symbol, interval, candles, gaps, history, limitedToDays, meta }: Candles): string[] {
  const of = `${symbol}, ${INTERVAL_WORDS[interval]}`;
  const age =
    meta && `latest ${dateTime(Date.parse(meta.observedAt))}, fetched ${dateTime(Date.parse(meta.fetchedAt))}`;
  const counted = `${candles.length} ${candles.length === 1 ? 'candle' : 'candles'}`;
  const missing = gaps.length === 1 ? '1 gap is' : `${gaps.length} gaps are`;
  return [
    meta ? `${of}: ${counted} from ${meta.source} (${meta.method}), ${age}.` : `${of}: no candles stored.`,
    ...(gaps.length > 0 ? [`${missing} left unfilled.`] : []),
    ...(history === 'loading' ? ['History for this asset is still being collected.'] : []),
    ...(history === 'unavailable' ? ['No source provides history for this asset.'] : []),
    ...(limitedToDays === null ? [] : [`Minute candles are stored for ${limitedToDays} days.`]),
    'Every figure is shown with its source and age; missing figures state the reason. Formulas are in the glossary.',
  ];
}
