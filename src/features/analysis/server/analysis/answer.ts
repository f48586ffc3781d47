import { z } from 'zod';

import {
  type Direction,
  HORIZONS,
  type Horizon,
  type Outcome,
  type Probabilities,
  SYMBOLS,
} from '#features/analysis/contract/predictions.ts';

import type { Climatology, Opinion, Subject, Term } from './types.ts';

/** One line without control, format or private-use characters, cut between characters. */
export function plainText(text: string, longest: number): string {
  const line = text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/\p{C}/gu, '')
    .trim();
  const letters = Array.from(line);
  return letters.length <= longest
    ? line
    : `${letters
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`;
}

const LONGEST_REASONING = 2000;
const LONGEST_FACTOR = 200;
const MOST_FACTORS = 10;
/** Tolerance for a model's arithmetic before its answer is refused. */
const SLACK = 0.02;

const OUTCOMES = ['up', 'flat', 'down'] as const;
const SAYS: Record<Outcome, Direction> = { up: 'BULLISH', flat: 'NEUTRAL', down: 'BEARISH' };

/** The likeliest outcome; neutral without a single most likely one. */
export function directionOf(p: Probabilities): Direction {
  const most = Math.max(p.up, p.flat, p.down);
  const leading = OUTCOMES.filter((outcome) => p[outcome] === most);
  return leading.length === 1 && leading[0] ? SAYS[leading[0]] : 'NEUTRAL';
}

export const confidenceOf = ({ up, flat, down }: Probabilities): number => 100 * Math.max(up, flat, down);

/** Splits the remaining probability of a direction by its base rates, or evenly without them. */
function impute(direction: Direction, confidence: number, past: Probabilities | undefined): Probabilities {
  const stated = OUTCOMES.find((outcome) => SAYS[outcome] === direction) ?? 'flat';
  const own = confidence / 100;
  const others = OUTCOMES.filter((outcome) => outcome !== stated);
  const weight = (outcome: Outcome) => past?.[outcome] ?? 0;
  const sum = others.reduce((total, outcome) => total + weight(outcome), 0);
  const share = (outcome: Outcome) => (1 - own) * (sum > 0 ? weight(outcome) / sum : 0.5);
  const of = (outcome: Outcome) => (outcome === stated ? own : share(outcome));
  return { up: of('up'), flat: of('flat'), down: of('down') };
}

const cell = z.object({
  up: z.number().nullish(),
  flat: z.number().nullish(),
  down: z.number().nullish(),
  direction: z.preprocess((v) => (typeof v === 'string' ? v.toUpperCase() : v), z.enum(Object.values(SAYS)).nullish()),
  confidence: z.number().nullish(),
});
type Cell = z.infer<typeof cell>;

type Stated = { probabilities: Probabilities; imputed: boolean };

/** Returns a message when the figures are not valid probabilities. */
function state({ up, flat, down, direction, confidence }: Cell, past: Probabilities | undefined): Stated | string {
  const given = [up, flat, down].filter((p) => p !== null && p !== undefined);
  if (given.length === 0 && direction && typeof confidence === 'number') {
    if (confidence < 100 / 3 || confidence > 100) return `has a confidence of ${confidence}, outside 33 to 100 percent`;
    return { probabilities: impute(direction, confidence, past), imputed: true };
  }
  if (typeof up !== 'number' || typeof flat !== 'number' || typeof down !== 'number')
    return 'does not give all three probabilities: up, flat and down';
  const wrong = given.find((p) => p < 0 || p > 1);
  if (wrong !== undefined) return `has a probability of ${wrong}, outside 0 to 1`;
  const sum = up + flat + down;
  if (Math.abs(sum - 1) > SLACK + 1e-9) return `has probabilities that sum to ${Number(sum.toFixed(4))}`;
  return { probabilities: { up: up / sum, flat: flat / sum, down: down / sum }, imputed: false };
}

const list = z
  .array(z.string())
  .nullish()
  .transform((texts) =>
    (texts ?? [])
      .map((text) => plainText(text, LONGEST_FACTOR))
      .filter(Boolean)
      .slice(0, MOST_FACTORS),
  );
const reasoning = z.string().transform((text) => plainText(text, LONGEST_REASONING));

function perHorizon<S extends z.ZodType>(schema: S) {
  return z.object({ '24h': schema, '7d': schema, '28d': schema, '180d': schema });
}
const cells = perHorizon(cell);
const wire = z.object({
  overall_reasoning: reasoning,
  market: perHorizon(cell.extend({ reasoning, factors_analyzed: list, key_factors: list, risk_factors: list })),
  assets: z.object({ BTC: cells, ETH: cells, SOL: cells, SUI: cells, XRP: cells }),
});

class UnusableAnswerError extends Error {}

export type Read = { opinion: Opinion; imputed: boolean };

/** A model's answer as an opinion, or one sentence explaining why it is invalid. */
export function readAnswer(value: unknown, climatology: Climatology): Read | string {
  const parsed = wire.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return `its response is invalid at ${issue?.path.join('.') || 'the top'}: ${issue?.message ?? 'unknown'}`;
  }
  let imputed = false;
  function stated(subject: Subject, horizon: Horizon, from: Cell): Probabilities {
    const found = state(from, climatology[subject]?.[horizon]);
    if (typeof found === 'string') throw new UnusableAnswerError(`its answer for ${subject} over ${horizon} ${found}`);
    imputed ||= found.imputed;
    return found.probabilities;
  }
  const forHorizons = <T>(make: (horizon: Horizon) => T) =>
    Object.fromEntries(HORIZONS.map((horizon) => [horizon, make(horizon)])) as Record<Horizon, T>;
  const { overall_reasoning, market, assets } = parsed.data;
  try {
    const opinion: Opinion = {
      reasoning: overall_reasoning,
      market: forHorizons((horizon): Term => {
        const { reasoning, factors_analyzed, key_factors, risk_factors } = market[horizon];
        const probabilities = stated('market', horizon, market[horizon]);
        return {
          probabilities,
          direction: directionOf(probabilities),
          confidence: confidenceOf(probabilities),
          reasoning,
          factors_analyzed,
          key_factors,
          risk_factors,
        };
      }),
      assets: Object.fromEntries(
        SYMBOLS.map((symbol) => [symbol, forHorizons((horizon) => stated(symbol, horizon, assets[symbol][horizon]))]),
      ) as Opinion['assets'],
    };
    return { opinion, imputed };
  } catch (error) {
    if (error instanceof UnusableAnswerError) return error.message;
    throw error;
  }
}
