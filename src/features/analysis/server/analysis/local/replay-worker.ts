import { parentPort, workerData } from 'node:worker_threads';

import type { Backtest } from '#features/analysis/contract/predictions.ts';
import { GENESIS } from '#features/analysis/server/predictions/chain.ts';
import { composeRecord } from '#features/analysis/server/predictions/service/record.ts';
import { CONSENSUS } from '#features/analysis/server/predictions/service.ts';
import { replayLedger, type SourcedCandles } from './replay-ledger.ts';

const DAY_MS = 86_400_000;

export type ReplayResult = { entries: number; head: string; record: Backtest };

/** Length and last hash of the chain, and the record as of the end of the last day. */
function replayResult(coins: readonly SourcedCandles[]): ReplayResult {
  const { calls, entries } = replayLedger(coins);
  let [count, head] = [0, GENESIS];
  for (const { seq, hash } of entries()) [count, head] = [seq, hash];
  const lastDay = Math.max(0, ...coins.map(({ candles }) => candles.at(-1)?.day ?? 0));
  const record = composeRecord(calls, new Map(), { at: new Date((lastDay + 1) * DAY_MS), consensus: CONSENSUS });
  return { entries: count, head, record };
}

// A replay takes seconds, so it runs in a thread of its own.
parentPort?.postMessage(replayResult(workerData as SourcedCandles[]));
