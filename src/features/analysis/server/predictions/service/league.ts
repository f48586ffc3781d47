import { randomUUID } from 'node:crypto';
import type { z } from 'zod/mini';

import type { Forecaster, forecasts, frozenForecasts, League, LeagueCell } from '#features/analysis/contract/league.ts';
import { HORIZONS, type Horizon, type TrackCell } from '#features/analysis/contract/predictions.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import { BRAND } from '#shared/brand.ts';
import type { PredictionsContext } from '../context.ts';
import { assetScores, testedTails, verdicts } from '../scoring/all.ts';
import { FEWEST_WINDOWS, verdictOf } from '../scoring/compare.ts';
import { eachLevel, type Ranges } from '../scoring/ranges.ts';
import { scoreTrack } from '../scoring/track.ts';
import { insertCalls, iterateCalls, type StoredCall } from '../store/calls.ts';
import {
  findForecaster,
  findForecasterOfUser,
  forecastOn,
  insertForecaster,
  readCells,
  readForecasters,
  type ScoredRow,
  type Standing,
  type StoredCell,
  saveCells,
  saveContributions,
  shownForecasters,
  standings,
  unscoredForecasters,
} from '../store/league.ts';
import { lastEntry, lockLedger } from '../store/ledger.ts';
import { append, readGround, toDraft } from './freeze.ts';
import { toCell, toTrackCall, trackOf } from './record.ts';

const MODEL = 'open-league';
const trackName = (id: number) => `league:${id}`;

/** Names that could be mistaken for a track of the product. */
const RESERVED = new Set([
  'consensus',
  'local',
  'groq',
  'venice',
  'huggingface',
  'openai',
  'anthropic',
  'admin',
  'support',
]);
const isReserved = (name: string) => RESERVED.has(name) || name.includes(BRAND.name.toLowerCase());

const OLDEST_PRICE_MS = 5 * 60_000;

export type Submitted = z.output<typeof forecasts>;
type Frozen = z.input<typeof frozenForecasts>;

/**
 * Freezes the forecasts of an account in the ledger at the current price, all or none. One per asset, horizon and UTC day.
 * @throws AppError conflict for a second forecast of the day or a name of another account; unavailable without a recent price
 */
export async function submitForecasts(
  ctx: PredictionsContext,
  userId: number,
  { forecaster: name, forecasts: given }: Submitted,
): Promise<Frozen> {
  const issuedAt = ctx.now();
  const known = await findForecasterOfUser(ctx.db, userId);
  // Rejects duplicates before computing the costly base rates; the check under the lock below decides.
  if (known) await assertFirstOfDay(ctx.db, known.id, given, issuedAt);
  const ground = await readGround(ctx, issuedAt);
  return ctx.db.transaction().execute(async (tx) => {
    const { id } = await claimName(tx, { userId, name, at: issuedAt });
    await lockLedger(tx);
    await assertFirstOfDay(tx, id, given, issuedAt);
    const common = {
      analysis_id: randomUUID(),
      analyst: trackName(id),
      model: MODEL,
      imputed: false,
      issuedAt,
      provenance: {},
    };
    const drafts = given.map(({ asset, horizon, probabilities, range_80: inner, range_95: outer }) => {
      const assetGround = ground.get(asset);
      // An older price would give an edge to a submitter who knows the current one.
      if (!assetGround || Date.parse(assetGround.price.at) < issuedAt.getTime() - OLDEST_PRICE_MS)
        throw new AppError('unavailable', `No ${asset} price from the last five minutes`, {
          retryAfterSeconds: 60,
        });
      const inLog = ({ low, high }: { low: number; high: number }) => ({
        low: Math.log(low / assetGround.price.usd),
        high: Math.log(high / assetGround.price.usd),
      });
      const ranges: Ranges | null = inner && outer ? eachLevel((level) => inLog(level === '80' ? inner : outer)) : null;
      return toDraft({ ...common, asset, horizon, probabilities, ranges }, assetGround);
    });
    const entries = await append(
      tx,
      drafts.map(({ entry }) => entry),
      ctx.now(),
    );
    await insertCalls(
      tx,
      drafts.map(({ row }, i) => ({ ...row, seq: entries[i]?.seq ?? 0 })),
    );
    return {
      forecaster: name,
      issued_at: issuedAt.toISOString(),
      forecasts: drafts.map(({ row: { asset, horizon, price, resolves_at } }, i) => ({
        seq: entries[i]?.seq ?? 0,
        hash: entries[i]?.hash ?? '',
        asset,
        horizon,
        price,
        resolves_at,
      })),
    };
  });
}

async function assertFirstOfDay(db: Db, id: number, given: Submitted['forecasts'], at: Date): Promise<void> {
  const made = await forecastOn(db, id, at);
  const second = given.find(({ asset, horizon }) => made.has(`${asset} ${horizon}`));
  if (second)
    throw new AppError(
      'conflict',
      `You have already forecast ${second.asset} at ${second.horizon} today (UTC). Nothing was stored.`,
    );
}

async function claimName(
  tx: Db,
  { userId, name, at }: { userId: number; name: string; at: Date },
): Promise<{ id: number }> {
  const known = await findForecasterOfUser(tx, userId);
  if (!known && isReserved(name)) throw new AppError('conflict', `The name "${name}" is reserved`);
  const own = known ?? (await insertForecaster(tx, { userId, name, at })) ?? (await findForecasterOfUser(tx, userId));
  if (!own) throw new AppError('conflict', `The name "${name}" is taken`);
  if (own.name !== name) throw new AppError('conflict', `Your account forecasts as "${own.name}"`);
  return own;
}

/** Scores every forecaster with new outcomes from one snapshot of the ledger. Returns how many. */
export const scoreLeague = (db: Db, at: Date): Promise<number> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const due = await unscoredForecasters(tx);
      const through = (await lastEntry(tx))?.seq ?? 0;
      for (const id of due) await saveCells(tx, id, leagueCells(await iterateCalls(tx, id), at), { through, at });
      if (due.length > 0) await saveContributions(tx);
      return due.length;
    });

/** The more cells are tested, the smaller a p Holm requires; 4,999 resamples cannot show less than 0.0002. */
const FINE_RESAMPLES = 200_000;
const FINE_BELOW = 0.001;

/** One cell per horizon at which a forecaster has calls, before any correction. */
export function leagueCells(calls: readonly StoredCall[], at: Date): ScoredRow[] {
  const [first] = calls;
  if (!first) return [];
  const provider = trackOf(first);
  const currentModel = new Map([[first.analyst, first.model]]);
  return HORIZONS.flatMap((horizon): ScoredRow[] => {
    const rows = calls.filter((call) => call.horizon === horizon);
    if (rows.length === 0) return [];
    const cell = { provider, horizon, calls: rows.map(toTrackCall) };
    const quick = scoreTrack(cell.calls, horizon);
    const needsFine = Math.min(quick.dm?.pAhead ?? 1, quick.dm?.pBehind ?? 1) < FINE_BELOW;
    const summary = needsFine ? scoreTrack(cell.calls, horizon, { resamples: FINE_RESAMPLES }) : quick;
    const scored = { ...cell, summary, adjusted: null, verdict: 'no evidence' as const, assets: assetScores(cell) };
    return [
      {
        horizon,
        nEff: summary.nEff,
        tails: testedTails(horizon, summary),
        cell: toCell(scored, rows, { currentModel, at }),
      },
    ];
  });
}

type Judged = Standing & Pick<TrackCell, 'verdict' | 'p_ahead' | 'p_behind'>;

/** Holm over tested cells only, so that forecasters with few dates do not make verdicts stricter for others. */
export function scoreLeagueCells(rows: readonly Standing[]): Judged[] {
  const tested = rows.flatMap((row) => {
    const { horizon, n_eff: nEff, p_ahead: ahead, p_behind: behind } = row;
    return ahead === null || behind === null ? [] : [{ row, horizon, nEff, tails: { ahead, behind } }];
  });
  const found = new Map(verdicts(tested).map((judged, i) => [tested[i]?.row, judged]));
  return rows.map((row) => {
    const { verdict, adjusted } = found.get(row) ?? {
      verdict: verdictOf(row.horizon, row.n_eff, null),
      adjusted: null,
    };
    return { ...row, verdict, p_ahead: adjusted?.ahead ?? null, p_behind: adjusted?.behind ?? null };
  });
}

const toLeagueCell = ({ cell, shared, gain }: StoredCell, judged: Judged | undefined): LeagueCell => ({
  ...cell,
  verdict: judged?.verdict ?? 'no evidence',
  p_ahead: judged?.p_ahead ?? null,
  p_behind: judged?.p_behind ?? null,
  contribution: shared === null || gain === null ? null : { n: shared, gain },
});

const MOST_SHOWN = 100;

/** Ahead first, then by skill with at least 60 independent dates, then by dates and skill. */
function rankKey(judged: Judged | undefined): readonly number[] {
  if (!judged) return [0, 0, 0, 0];
  const isRanked = judged.n_eff >= FEWEST_WINDOWS;
  return [
    judged.verdict === 'ahead' ? 2 : Number(isRanked),
    isRanked ? (judged.skill ?? 0) : 0,
    judged.dates,
    judged.skill ?? 0,
  ];
}

const compareKeys = (a: readonly number[], b: readonly number[]): number =>
  a.map((value, i) => (b[i] ?? 0) - value).find((difference) => difference !== 0) ?? 0;

export async function readLeague(db: Db, horizon: Horizon, at: Date): Promise<League> {
  const [ids, all] = await Promise.all([shownForecasters(db), standings(db)]);
  const judged = new Map(
    scoreLeagueCells(all).flatMap((row) => (row.horizon === horizon ? [[row.forecaster_id, row]] : [])),
  );
  const shown = ids
    .toSorted((a, b) => compareKeys(rankKey(judged.get(a)), rankKey(judged.get(b))))
    .slice(0, MOST_SHOWN);
  const [rows, cells] = await Promise.all([readForecasters(db, shown), readCells(db, shown)]);
  return {
    timestamp: at.toISOString(),
    horizon,
    total: ids.length,
    forecasters: rows.map(({ id, ...row }) => {
      const stored = cells.find((cell) => cell.forecaster_id === id && cell.horizon === horizon);
      return { ...row, track: trackName(id), cell: stored ? toLeagueCell(stored, judged.get(id)) : null };
    }),
  };
}

/** @throws AppError not_found */
export async function readForecaster(db: Db, name: string, at: Date): Promise<Forecaster> {
  const found = await findForecaster(db, name);
  if (!found) throw new AppError('not_found', 'No forecaster has this name');
  const { id, ...row } = found;
  const [cells, all] = await Promise.all([readCells(db, [id]), standings(db)]);
  const judged = scoreLeagueCells(all).filter(({ forecaster_id: own }) => own === id);
  const ofHorizon = (horizon: Horizon) => {
    const stored = cells.find((cell) => cell.horizon === horizon);
    return stored
      ? [
          toLeagueCell(
            stored,
            judged.find((each) => each.horizon === horizon),
          ),
        ]
      : [];
  };
  const [newest] = cells;
  return {
    timestamp: at.toISOString(),
    forecaster: { ...row, track: trackName(id) },
    scored_at: newest?.scored_at ?? null,
    scored_through: newest?.through_seq ?? null,
    league_through: newest ? Math.max(...all.map(({ through_seq: seq }) => seq)) : null,
    cells: HORIZONS.flatMap(ofHorizon),
  };
}
