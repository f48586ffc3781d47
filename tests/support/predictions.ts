import { HORIZONS, type Probabilities, SYMBOLS } from '#features/analysis/contract/predictions.ts';
import type { Statement } from '#features/analysis/server/predictions/service.ts';

import type { TestProduct } from './start.ts';

const FAKE_HASH = 'f'.repeat(64);

/** One analyst with the same forecast for every asset and horizon. */
export function createStatement(
  analyst: string,
  probabilities: Probabilities,
  overrides: Partial<Statement> = {},
): Statement {
  const sameForEveryHorizon = Object.fromEntries(HORIZONS.map((horizon) => [horizon, probabilities]));
  return {
    analyst,
    model: `${analyst}-1`,
    modelVersion: null,
    promptVersion: 'test-1',
    promptHash: FAKE_HASH,
    inputHash: FAKE_HASH,
    answerHash: FAKE_HASH,
    imputed: false,
    calls: Object.fromEntries(SYMBOLS.map((symbol) => [symbol, sameForEveryHorizon])) as Statement['calls'],
    ...overrides,
  };
}

/** Collects the current price list, and the history of the five tracked coins. */
export async function collectMarket(s: TestProduct): Promise<void> {
  await s.job('market.listing');
  for (const coinId of ['bitcoin', 'ethereum', 'solana', 'sui', 'ripple']) await s.job('market.backfill', { coinId });
  s.advance(60_000);
}

let runs = 0;

/** Freezes the current statements, like the analysis. */
export async function issue(
  s: TestProduct,
  statements: readonly Statement[],
  { absences = [], at = s.clock.now() }: { absences?: { analyst: string; reason: string }[]; at?: Date } = {},
): Promise<void> {
  const { predictions } = s.product;
  const ground = await predictions.groundAt(at);
  const analysisId = `test-${runs++}`;
  await predictions.ctx.db
    .transaction()
    .execute((tx) => predictions.freeze(tx, { analysisId, issuedAt: at, statements, absences }, ground));
}
