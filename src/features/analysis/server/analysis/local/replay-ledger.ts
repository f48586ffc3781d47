import { type Asset, HORIZON_DAYS, HORIZONS } from '#features/analysis/contract/predictions.ts';
import { type EntryKind, GENESIS, hashOf, type LedgerEntry } from '#features/analysis/server/predictions/chain.ts';
import { flatBand } from '#features/analysis/server/predictions/scoring/volatility.ts';
import { RULE } from '#features/analysis/server/predictions/service/freeze.ts';
import type { StoredCall } from '#features/analysis/server/predictions/service.ts';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { LOCAL, MODEL, VERSION } from './analyst.ts';
import { type ReplayCall, replayAll } from './replay.ts';
import type { DailyCandle } from './volatility-model.ts';

const DAY_MS = 86_400_000;

export type SourcedCandles = { coin: string; candles: readonly (DailyCandle & { source: string })[] };
export type ReplayLedger = { calls: StoredCall[]; entries: () => Generator<LedgerEntry> };

type Event = { at: number; kind: EntryKind; call: ReplayCall };
type Numbers = { call: number; outcome: number | null };

const resolvesAt = ({ issuedAt, horizon }: ReplayCall) => issuedAt + HORIZON_DAYS[horizon] * DAY_MS;
const iso = (ms: number) => new Date(ms).toISOString();

/** Calls and outcomes in the order in which they would have been recorded: on one day, outcomes first. */
function eventsOf(calls: readonly ReplayCall[]): Event[] {
  const events = calls.flatMap((call): Event[] => [
    { at: call.issuedAt, kind: 'call', call },
    ...(call.outcome === null
      ? []
      : [{ at: resolvesAt(call), kind: call.outcome === 'void' ? ('void' as const) : ('outcome' as const), call }]),
  ]);
  return events.toSorted((a, b) => a.at - b.at || Number(a.kind === 'call') - Number(b.kind === 'call'));
}

/** The built-in analyst's calls over past candles, as the live record keeps them, and a hash chain of their own. */
export function replayLedger(coins: readonly SourcedCandles[], replayed = replayAll(coins)): ReplayLedger {
  const events = eventsOf(HORIZONS.flatMap((horizon) => replayed[horizon]));
  const numbers = new Map<ReplayCall, Numbers>();
  for (const [i, { kind, call }] of events.entries()) {
    if (kind === 'call') numbers.set(call, { call: i + 1, outcome: null });
    else (numbers.get(call) as Numbers).outcome = i + 1;
  }
  const byDay = new Map(coins.map(({ coin, candles }) => [coin, new Map(candles.map((each) => [each.day, each]))]));
  /** The close of the day that ends at a moment. */
  const priceOf = (coin: string, at: number) => {
    const candle = byDay.get(coin)?.get(at / DAY_MS - 1);
    return { at: iso(at), bar: 'day', source: candle?.source, usd: candle?.close };
  };

  function bodyOf({ kind, call }: Event): Readonly<Record<string, unknown>> {
    const { coin, horizon, issuedAt, band, r, outcome } = call;
    const { probabilities, climatology, persistence, ranges, trailingRanges } = call;
    if (kind === 'call')
      return {
        analysisId: iso(issuedAt),
        analyst: LOCAL.id,
        model: MODEL,
        modelVersion: VERSION,
        replay: true,
        asset: coin,
        horizon,
        issuedAt: iso(issuedAt),
        resolvesAt: iso(resolvesAt(call)),
        imputed: false,
        price: priceOf(coin, issuedAt),
        band,
        sigma: band / flatBand(1),
        rule: RULE,
        probabilities,
        climatology,
        persistence,
        ranges,
        trailingRanges,
      };
    const of = numbers.get(call)?.call;
    if (r === null) return { call: of, reason: 'No close stored for that day' };
    return { call: of, outcome, realised: r, price: priceOf(coin, resolvesAt(call)) };
  }

  function* entries(): Generator<LedgerEntry> {
    let before = GENESIS;
    for (const [i, event] of events.entries()) {
      const entry = { seq: i + 1, recorded_at: iso(event.at), kind: event.kind, body: canonicalJson(bodyOf(event)) };
      before = hashOf(before, entry);
      yield { ...entry, hash: before };
    }
  }

  const calls = events.flatMap(({ kind, call }) =>
    kind === 'call' ? [storedOf(call, numbers.get(call) as Numbers)] : [],
  );
  return { calls, entries };
}

function storedOf(call: ReplayCall, { call: seq, outcome: outcomeSeq }: Numbers): StoredCall {
  const { coin, horizon, issuedAt, price, band, outcome, r } = call;
  const { probabilities, climatology, persistence, ranges, trailingRanges } = call;
  return {
    seq,
    analysis_id: iso(issuedAt),
    analyst: LOCAL.id,
    model: MODEL,
    asset: coin as Asset,
    horizon,
    issued_at: iso(issuedAt),
    resolves_at: iso(resolvesAt(call)),
    imputed: false,
    price,
    band,
    probabilities,
    climatology,
    persistence,
    ranges,
    trailingRanges,
    outcome,
    realised: r,
    outcome_seq: outcomeSeq,
    outcome_at: outcomeSeq === null ? null : iso(resolvesAt(call)),
  };
}
