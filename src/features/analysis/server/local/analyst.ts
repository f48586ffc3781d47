import { type Asset, HORIZONS, type Horizon, type Probabilities, SYMBOLS } from '#features/predictions/contract.ts';
import { linearPool } from '#features/predictions/server/service.ts';
import { canonicalJson, sha256 } from '#server/platform/canonical-json.ts';
import { confidenceOf, directionOf } from '../answer.ts';
import type { Answer, Climatology, Opinion, Term } from '../types.ts';
import { FEATURES, newestReading } from './features.ts';
import { type AssetPast, type Contribution, callOf, type Fits } from './model.ts';

export const LOCAL = { id: 'local', name: 'Built-in analyst (rules, no AI)', letter: 'B' } as const;
const MODEL = 'ordered-logit';
const VERSION = '1';
const NAMED = 3;

const UNIFORM: Probabilities = { up: 1 / 3, flat: 1 / 3, down: 1 / 3 };
const TERM_NAMES: Record<Horizon, string> = { '24h': '24 hours', '7d': '7 days', '28d': '28 days', '180d': '180 days' };

/** What the fitted model says of every asset and of the market, with the three contributions that weigh most. */
export function localAnswer(pasts: readonly AssetPast[], fits: Fits, climatology: Climatology): Answer {
  const readings = new Map(pasts.map(({ asset, past }) => [asset, newestReading(past)]));
  const callFor = (asset: Asset, horizon: Horizon) => {
    const base = climatology[asset]?.[horizon] ?? UNIFORM;
    const reading = readings.get(asset);
    return reading ? callOf(fits[horizon], reading, base) : { probabilities: base, contributions: [] };
  };
  const calls = HORIZONS.map((horizon) => SYMBOLS.map((asset) => ({ asset, ...callFor(asset, horizon) })));
  const market = Object.fromEntries(
    HORIZONS.map((horizon, i) => {
      const own = calls[i] ?? [];
      const pooled = linearPool(own.map(({ probabilities }) => probabilities)) ?? UNIFORM;
      return [horizon, termOf(horizon, pooled, averaged(own.map(({ contributions }) => contributions)))];
    }),
  ) as Record<Horizon, Term>;
  const assets = Object.fromEntries(
    SYMBOLS.map((asset, a) => [
      asset,
      Object.fromEntries(HORIZONS.map((horizon, i) => [horizon, calls[i]?.[a]?.probabilities ?? UNIFORM])),
    ]),
  ) as Opinion['assets'];
  return {
    opinion: { reasoning: market['7d'].reasoning, market, assets },
    imputed: false,
    model: MODEL,
    modelVersion: VERSION,
    promptVersion: `rules-${VERSION}`,
    promptHash: sha256(
      canonicalJson({ version: VERSION, features: FEATURES.map(({ name, metric }) => ({ name, metric })) }),
    ),
    inputHash: sha256(JSON.stringify(pasts.map(({ asset, past }) => [asset, past.closes, [...past.metrics]]))),
    usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
    structured: 'json_schema',
  };
}

/** The same feature of several assets as one: the mean of what is known. */
function averaged(all: readonly Contribution[][]): Contribution[] {
  const by = Map.groupBy(all.flat(), ({ feature }) => feature);
  const means = [...by].map(([feature, rows]): Contribution => {
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const raws = rows.flatMap(({ raw }) => raw ?? []);
    return {
      feature,
      value: mean(rows.map(({ value }) => value)),
      raw: raws.length > 0 ? mean(raws) : null,
      effect: mean(rows.map(({ effect }) => effect)),
    };
  });
  return means.toSorted((a, b) => Math.abs(b.effect) - Math.abs(a.effect));
}

const signed = (value: number, digits: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(digits)}`;

function wordsOf({ feature, value, raw, effect }: Contribution): string {
  const { about, show } = FEATURES[feature] ?? { about: 'A feature', show: null };
  const figure = raw === null || !show ? '' : ` at ${show(raw)}`;
  return `${about}${figure} is ${signed(value, 1)} σ from its norm (${signed(effect, 3)})`;
}

function termOf(horizon: Horizon, probabilities: Probabilities, contributions: readonly Contribution[]): Term {
  const known = contributions.filter(({ raw }) => raw !== null);
  const named = known.slice(0, NAMED);
  const percent = (p: number) => `${Math.round(100 * p)} %`;
  const { up, flat, down } = probabilities;
  const said = `Over ${TERM_NAMES[horizon]}: up ${percent(up)}, flat ${percent(flat)}, down ${percent(down)}.`;
  const why =
    named.length > 0
      ? `What moves it most, on the logit of a better outcome: ${named.map(wordsOf).join('; ')}.`
      : 'Too little past is stored for a fit: how often each outcome came over the trailing year stands alone.';
  return {
    probabilities,
    direction: directionOf(probabilities),
    confidence: confidenceOf(probabilities),
    reasoning: `${said} ${why}`,
    factors_analyzed: known.map(({ feature }) => FEATURES[feature]?.about ?? ''),
    key_factors: known.slice(0, 6).map(wordsOf),
    risk_factors: [
      'Fitted on the stored past alone: news is not in it',
      'Shrunk towards how often each outcome came over the trailing year',
    ],
  };
}
