import {
  type Asset,
  HORIZON_DAYS,
  HORIZONS,
  type Horizon,
  type Probabilities,
  SYMBOLS,
} from '#features/analysis/contract/predictions.ts';
import { TRACKED } from '#features/market/contract/market.ts';
import type { BarPrice, DailyClose } from '#features/market/server/market/service.ts';
import { canonicalJson } from '#kernel/canonical-json.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import { type EntryKind, GENESIS, hashOf, type LedgerEntry } from '../chain.ts';
import type { PredictionsContext } from '../context.ts';
import { areNested, type Ranges, trailingRangesOf } from '../scoring/ranges.ts';
import { type Baselines, baselines } from '../scoring/scores.ts';
import { flatBand, realisedVolatility } from '../scoring/volatility.ts';
import { type CallRow, insertAbsences, insertCalls } from '../store/calls.ts';
import { insertEntries, lastEntry, lockLedger } from '../store/ledger.ts';

export type NewEntry = { kind: EntryKind; body: Readonly<Record<string, unknown>> };

/**
 * Appends entries to the chain, within the caller's transaction. Throws `conflict` when the newest entry is younger
 * than `at`: a clock set back, or a late insert.
 */
export async function append(tx: Db, entries: readonly NewEntry[], at: Date): Promise<LedgerEntry[]> {
  await lockLedger(tx);
  const last = await lastEntry(tx);
  if (last && Date.parse(last.recorded_at) > at.getTime())
    throw new AppError(
      'conflict',
      `The latest ledger entry is from ${last.recorded_at}; nothing can be added at ${at.toISOString()}, before it`,
    );
  let before = last?.hash ?? GENESIS;
  const first = (last?.seq ?? 0) + 1;
  const rows = entries.map(({ kind, body }, i) => {
    const entry = { seq: first + i, recorded_at: at.toISOString(), kind, body: canonicalJson(body) };
    before = hashOf(before, entry);
    return { ...entry, hash: before };
  });
  await insertEntries(tx, rows);
  return rows;
}

const DAY_MS = 86_400_000;
/** The trailing year of windows, the longest window, and the volatility before the first of them. */
const PAST_DAYS = 365 + 180 + 31;
/** A call is frozen when it is made: older ones are refused. */
const LATEST_MS = 5 * 60_000;
export const RULE = 'log-return-0.43-sigma-30d/1';

/** One analyst's view of every asset and horizon. */
export type Statement = {
  analyst: string;
  model: string;
  modelVersion: string | null;
  promptVersion: string;
  /** SHA-256, hex. */
  promptHash: string;
  inputHash: string;
  answerHash: string;
  imputed: boolean;
  calls: Record<Asset, Record<Horizon, Probabilities>>;
  /** For analysts with ranges. */
  ranges?: Partial<Record<Asset, Partial<Record<Horizon, Ranges>>>>;
};

export type Absence = { analyst: string; reason: string };

export type Submission = {
  analysisId: string;
  issuedAt: Date;
  statements: readonly Statement[];
  /** Analysts that did not respond. */
  absences: readonly Absence[];
};

type Standing = Baselines & { trailingRanges: Ranges | null; sigma: number | null; band: number | null };
export type AssetGround = { price: BarPrice; standings: Record<Horizon, Standing> };
export type Ground = ReadonlyMap<Asset, AssetGround>;

/** Grading data of every asset at a moment: price, volatility, base rates. Without a price no call is frozen. */
export async function readGround({ market }: Pick<PredictionsContext, 'market'>, at: Date): Promise<Ground> {
  const closes = await market.dailyCandles(
    TRACKED.map(({ id }) => id),
    new Date(at.getTime() - PAST_DAYS * DAY_MS),
    at,
  );
  const found = await Promise.all(
    TRACKED.map(async ({ id, symbol }): Promise<[Asset, AssetGround][]> => {
      const price = await market.priceBefore(id, at);
      if (!price) return [];
      return [[symbol, { price, standings: readStandings(knownCloses(closes.get(id) ?? [], at)) }]];
    }),
  );
  return new Map(found.flat());
}

/** A day's close is known when the day is over. `day` counts days since 1970. */
export function knownCloses(closes: readonly DailyClose[], at: Date): { day: number; close: number }[] {
  return closes
    .map(({ day, close }) => ({ day: Date.parse(`${day}T00:00:00Z`) / DAY_MS, close }))
    .filter(({ day }) => (day + 1) * DAY_MS <= at.getTime());
}

function readStandings(known: { day: number; close: number }[]): Record<Horizon, Standing> {
  const standings = HORIZONS.map((horizon): [Horizon, Standing] => {
    const sigma = realisedVolatility(known, HORIZON_DAYS[horizon]);
    return [
      horizon,
      {
        ...baselines(known, horizon),
        trailingRanges: trailingRangesOf(known, horizon),
        sigma,
        band: sigma === null ? null : flatBand(sigma),
      },
    ];
  });
  return Object.fromEntries(standings) as Record<Horizon, Standing>;
}

/**
 * Freezes statements within the caller's transaction, so that an answer and its calls are stored together or not at
 * all. `now` is the chain's clock. Throws `conflict` for an issue time that is not now.
 */
export async function freeze(tx: Db, submission: Submission, ground: Ground, now: Date): Promise<void> {
  const { issuedAt, analysisId, statements, absences } = submission;
  const ageMs = now.getTime() - issuedAt.getTime();
  if (ageMs > LATEST_MS || ageMs < 0)
    throw new AppError('conflict', `A call from ${issuedAt.toISOString()} cannot be recorded at ${now.toISOString()}`);
  const drafts = statements.flatMap((statement) => toDrafts(statement, submission, ground));
  const missing = absences.map(({ analyst, reason }) => ({
    analysis_id: analysisId,
    analyst,
    issued_at: issuedAt.toISOString(),
    reason,
  }));
  const entries = await append(
    tx,
    [
      ...drafts.map(({ entry }) => entry),
      ...missing.map(({ analysis_id, analyst, issued_at, reason }): NewEntry => {
        const body = { analysisId: analysis_id, analyst, issuedAt: issued_at, reason };
        return { kind: 'missing', body };
      }),
    ],
    now,
  );
  await insertCalls(
    tx,
    drafts.map(({ row }, i) => ({ ...row, seq: entries[i]?.seq ?? 0 })),
  );
  await insertAbsences(
    tx,
    missing.map((row, i) => ({ ...row, seq: entries[drafts.length + i]?.seq ?? 0 })),
  );
}

export type Draft = { entry: NewEntry; row: Omit<CallRow, 'seq'> };

/** One forecast before it is frozen. `provenance` is also written to the ledger. */
type UnfrozenCall = Pick<
  CallRow,
  'analysis_id' | 'analyst' | 'model' | 'imputed' | 'asset' | 'horizon' | 'probabilities' | 'ranges'
> & {
  issuedAt: Date;
  provenance: Readonly<Record<string, string | null>>;
};

/** Ledger entry and record row of one call, with the price, band and baselines that it is graded by. */
export function toDraft({ issuedAt, provenance, ...call }: UnfrozenCall, { price, standings }: AssetGround): Draft {
  const { analysis_id: analysisId, analyst, model, imputed, asset, horizon, probabilities, ranges } = call;
  const { band, sigma, climatology, persistence, trailingRanges: trailing } = standings[horizon];
  if (ranges && !areNested(ranges))
    throw new AppError('bad_request', `The ranges of ${analyst} for ${asset} at ${horizon} are not nested`);
  const trailingRanges = ranges && trailing;
  const issued = issuedAt.toISOString();
  const resolves = new Date(issuedAt.getTime() + HORIZON_DAYS[horizon] * DAY_MS).toISOString();
  const { usd, source, bar, at } = price;
  return {
    entry: {
      kind: 'call',
      body: {
        ...provenance,
        analysisId,
        analyst,
        asset,
        band,
        climatology: climatology.probabilities,
        horizon,
        imputed,
        issuedAt: issued,
        model,
        persistence: persistence.probabilities,
        price: { at, bar, source, usd },
        probabilities,
        ...(ranges && { ranges, trailingRanges }),
        resolvesAt: resolves,
        rule: RULE,
        sigma,
      },
    },
    row: {
      ...call,
      issued_at: issued,
      resolves_at: resolves,
      price: usd,
      band,
      climatology: climatology.probabilities,
      persistence: persistence.probabilities,
      trailingRanges,
    },
  };
}

function toDrafts(statement: Statement, { analysisId, issuedAt }: Submission, ground: Ground): Draft[] {
  const { analyst, model, modelVersion, promptVersion, promptHash, inputHash, answerHash, imputed } = statement;
  const provenance = { answerHash, inputHash, modelVersion, promptHash, promptVersion };
  return SYMBOLS.flatMap((asset) => {
    const stood = ground.get(asset);
    if (!stood) return [];
    return HORIZONS.map((horizon) => {
      const probabilities = statement.calls[asset][horizon];
      const ranges = statement.ranges?.[asset]?.[horizon] ?? null;
      const call = { analysis_id: analysisId, analyst, model, imputed, asset, horizon, probabilities, ranges };
      return toDraft({ ...call, issuedAt, provenance }, stood);
    });
  });
}
