import { PLAN_LIMITS } from '#features/accounts/contract/subscriptions.ts';
import type { HistoryRecord, HistoryReply, HistoryType } from '#features/exports/contract/history.ts';
import { OWN } from '#features/market/server/metrics/service.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';

import type { HistoryContext, HistoryDeps } from '../context.ts';
import { closeRows, metricRows, type Row } from '../store.ts';
import { type Asked, findSeries } from './sources.ts';

/** Position after the last row of a page. Later rows are older, or of the same time and a later symbol. */
type CursorPosition = { atMs: number; symbol: string };

const CURSOR_FORMAT = /^(\d{1,15}) (\S{1,40})$/;
const LATEST_MS = 8.64e15;

const encodeCursor = ({ atMs, symbol }: CursorPosition): string =>
  Buffer.from(`${atMs} ${symbol}`).toString('base64url');

function decodeCursor(cursor: string): CursorPosition {
  const [, at, symbol] = CURSOR_FORMAT.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  const place = { atMs: Number(at), symbol: symbol ?? '' };
  if (at === undefined || place.atMs > LATEST_MS || encodeCursor(place) !== cursor)
    throw new AppError('bad_request', 'Invalid cursor for this list');
  return place;
}

const DAY_MS = 86_400_000;

export type HistoryQuery = { symbol?: string | undefined; from?: string | undefined; to?: string | undefined };
/** Both ends included. */
export type Range = { from: Date; to: Date };
export type Page = { records: HistoryRecord[]; next: CursorPosition | null };

/** Without parameters, from the beginning to now. */
export function resolveRange(ctx: HistoryContext, { from, to }: HistoryQuery): Range {
  const range = { from: new Date(from ?? 0), to: to === undefined ? ctx.now() : new Date(to) };
  if (range.from > range.to && to !== undefined) throw new AppError('bad_request', 'The range ends before it starts');
  return range;
}

/** One page of the requested series, newest first, after `after`. */
export async function readPage(
  ctx: HistoryContext,
  asked: Asked,
  { from, to }: Range,
  after: CursorPosition | null,
  limit: number,
): Promise<Page> {
  if (asked.series.length === 0 || from > to) return { records: [], next: null };
  const upper = after && after.atMs <= to.getTime() ? { at: new Date(after.atMs), symbol: after.symbol } : null;
  const part = {
    from,
    to: upper?.at ?? to,
    inclusive: asked.series.map(({ symbol }) => upper === null || symbol > upper.symbol),
    limit: limit + 1,
  };
  const rows =
    asked.kind === 'coins'
      ? await closeRows(
          ctx.db,
          asked.series.map(({ id }) => id),
          part,
        )
      : await metricRows(
          ctx.db,
          asked.series.map(({ rule, source }) => ({ metric: rule.metric, source })),
          part,
        );
  const records = rows.slice(0, limit).map((row) => toRecord(ctx, asked, row));
  const last = records.at(-1);
  const next = last && rows.length > limit ? { atMs: Date.parse(last.timestamp), symbol: last.symbol } : null;
  return { records, next };
}

/** Number of decimal places of a number. */
function decimalDigits(value: number): number {
  const [, fraction = '', exponent = '0'] = /^-?\d+(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  return Math.max(0, fraction.length - Number(exponent));
}

/** Decimal subtraction: 0.3 minus 0.1 is 0.2, without binary rounding noise. */
function difference(value: number, older: number): number {
  const digits = Math.max(decimalDigits(value), decimalDigits(older));
  return digits > 100 ? value - older : Number((value - older).toFixed(digits));
}

function toRecord({ mode, metrics }: HistoryContext, asked: Asked, row: Row): HistoryRecord {
  const { rule } = asked.kind === 'metrics' ? (asked.series[row.place] ?? {}) : {};
  const symbol = asked.series[row.place]?.symbol ?? '';
  const shown = rule?.shown ?? ((stored: number) => stored);
  const value = shown(row.value);
  const older = row.older === null ? null : shown(row.older);
  const isDerived = rule?.shown !== undefined && row.method === 'measured';
  return {
    id: `${symbol}@${row.at}`,
    timestamp: row.at,
    symbol,
    value,
    unit: rule?.unit ?? 'USD',
    source: row.source === OWN ? 'Meridian' : metrics.ctx.sources.nameOf(row.source),
    fetchedAt: row.fetched_at,
    method: mode === 'demo' ? 'demo' : isDerived ? 'computed' : row.method,
    change: older === null ? null : difference(value, older),
    change_percent: older === null || older <= 0 || rule?.noPercent ? null : (value / older - 1) * 100,
  };
}

type Paged = HistoryQuery & { cursor?: string | undefined; limit: number };

async function readHistory(
  ctx: HistoryContext,
  type: HistoryType,
  question: Paged,
  caller: Caller | null,
): Promise<HistoryReply> {
  const { historyDays: days } = PLAN_LIMITS[caller?.plan ?? 'free'];
  const range = resolveRange(ctx, question);
  const after = question.cursor === undefined ? null : decodeCursor(question.cursor);
  const earliest = new Date(days === null ? 0 : ctx.now().getTime() - days * DAY_MS);
  const series = await findSeries(ctx, type, question.symbol);
  const from = range.from < earliest ? earliest : range.from;
  const { records, next } = await readPage(ctx, series, { ...range, from }, after, question.limit);
  return {
    type,
    symbols: series.symbols,
    records,
    nextCursor: next && encodeCursor(next),
    limitedToDays: days,
    reason: records.length > 0 ? null : await emptyReason(ctx, series, range, earliest),
  };
}

async function emptyReason(ctx: HistoryContext, asked: Asked, { from, to }: Range, earliest: Date): Promise<string> {
  const now = ctx.now();
  if (from > now) return 'This range is in the future';
  if (asked.series.length === 0) return asked.absent;
  const any = await readPage(ctx, asked, { from: new Date(0), to: now }, null, 1);
  if (any.records.length === 0) return asked.absent;
  if (to < earliest) return 'This range is older than your plan includes';
  return 'No data stored for this range';
}

/** The whole range in batches; values stored after the start are excluded. */
export async function* readAll(
  ctx: HistoryContext,
  asked: Asked,
  range: Range,
  batch: number,
): AsyncGenerator<HistoryRecord[]> {
  let after: CursorPosition | null = null;
  do {
    const page: Page = await readPage(ctx, asked, range, after, batch);
    if (page.records.length > 0) yield page.records;
    after = page.next;
  } while (after);
}

/**
 * Reads a page from one server; a page after a cursor is served by one at least as current as that of the previous
 * page.
 */
export const readHistoryReply = (
  deps: HistoryDeps,
  type: HistoryType,
  question: Paged,
  caller: Caller | null,
): Promise<HistoryReply> =>
  deps.reads.answer((db) => readHistory({ ...deps, db }, type, question, caller), {
    fresh: question.cursor !== undefined,
  });
