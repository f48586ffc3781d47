import { TRACKED } from '#features/market/contract.ts';
import type { BarPrice, DailyClose } from '#features/market/server/service.ts';
import {
  type Asset,
  HORIZON_DAYS,
  HORIZONS,
  type Horizon,
  type Probabilities,
  SYMBOLS,
} from '#features/predictions/contract.ts';
import type { Db } from '#server/platform/db.ts';
import { AppError } from '#server/platform/errors.ts';

import type { PredictionsContext } from '../context.ts';
import { type Baselines, baselines } from '../scoring/baselines.ts';
import { flatBand, realisedVolatility } from '../scoring/volatility.ts';
import { type CallRow, insertAbsences, insertCalls } from '../store/calls.ts';
import { append, type NewEntry } from './append.ts';

const DAY_MS = 86_400_000;
/** The trailing year of windows, the longest window, and the volatility before the first of them. */
const PAST_DAYS = 365 + 180 + 31;
/** A call is frozen when it is made: older ones are not let in. */
const LATEST_MS = 5 * 60_000;
export const RULE = 'log-return-0.43-sigma-30d/1';

/** What one analyst said of every asset and horizon. */
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
};

export type Absence = { analyst: string; reason: string };

export type Submission = {
  analysisId: string;
  issuedAt: Date;
  statements: readonly Statement[];
  /** Who was asked and gave no answer. */
  absences: readonly Absence[];
};

type Standing = Baselines & { sigma: number | null; band: number | null };
export type AssetGround = { price: BarPrice; standings: Record<Horizon, Standing> };
export type Ground = ReadonlyMap<Asset, AssetGround>;

/** What every call on an asset stands on at a moment: its price, its volatility, its baselines. Without a price no call is frozen. */
export async function groundAt(ctx: PredictionsContext, at: Date): Promise<Ground> {
  const closes = await ctx.market.dailyCloses(
    TRACKED.map(({ id }) => id),
    new Date(at.getTime() - PAST_DAYS * DAY_MS),
    at,
  );
  const found = await Promise.all(
    TRACKED.map(async ({ id, symbol }): Promise<[Asset, AssetGround][]> => {
      const price = await ctx.market.priceBefore(id, at);
      if (!price) return [];
      return [[symbol, { price, standings: standingsOf(knownCloses(closes.get(id) ?? [], at)) }]];
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

function standingsOf(known: { day: number; close: number }[]): Record<Horizon, Standing> {
  const standings = HORIZONS.map((horizon): [Horizon, Standing] => {
    const sigma = realisedVolatility(known, HORIZON_DAYS[horizon]);
    return [horizon, { ...baselines(known, horizon), sigma, band: sigma === null ? null : flatBand(sigma) }];
  });
  return Object.fromEntries(standings) as Record<Horizon, Standing>;
}

/**
 * Freezes what was said, within the caller's transaction, so that an answer and its calls are stored together or not at all.
 * `now` is the clock of the chain. Throws `conflict` for an issue time that is not now.
 */
export async function freeze(tx: Db, submission: Submission, ground: Ground, now: Date): Promise<void> {
  const { issuedAt, analysisId, statements, absences } = submission;
  const ageMs = now.getTime() - issuedAt.getTime();
  if (ageMs > LATEST_MS || ageMs < 0)
    throw new AppError('conflict', `A call of ${issuedAt.toISOString()} cannot be frozen at ${now.toISOString()}`);
  const drafts = statements.flatMap((statement) => draftsOf(statement, submission, ground));
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

type Draft = { entry: NewEntry; row: Omit<CallRow, 'seq'> };

function draftsOf(statement: Statement, { analysisId, issuedAt }: Submission, ground: Ground): Draft[] {
  const { analyst, model, modelVersion, promptVersion, promptHash, inputHash, answerHash, imputed } = statement;
  return SYMBOLS.flatMap((asset) => {
    const stood = ground.get(asset);
    if (!stood) return [];
    return HORIZONS.map((horizon): Draft => {
      const { band, sigma, climatology, persistence } = stood.standings[horizon];
      const probabilities = statement.calls[asset][horizon];
      const issued = issuedAt.toISOString();
      const resolves = new Date(issuedAt.getTime() + HORIZON_DAYS[horizon] * DAY_MS).toISOString();
      const { usd, source, bar, at } = stood.price;
      return {
        entry: {
          kind: 'call',
          body: {
            analysisId,
            analyst,
            answerHash,
            asset,
            band,
            climatology: climatology.probabilities,
            horizon,
            imputed,
            inputHash,
            issuedAt: issued,
            model,
            modelVersion,
            persistence: persistence.probabilities,
            price: { at, bar, source, usd },
            probabilities,
            promptHash,
            promptVersion,
            resolvesAt: resolves,
            rule: RULE,
            sigma,
          },
        },
        row: {
          analysis_id: analysisId,
          analyst,
          model,
          asset,
          horizon,
          issued_at: issued,
          resolves_at: resolves,
          imputed,
          price: usd,
          band,
          probabilities,
          climatology: climatology.probabilities,
          persistence: persistence.probabilities,
        },
      };
    });
  });
}
