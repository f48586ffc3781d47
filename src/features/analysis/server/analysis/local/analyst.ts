import { readFileSync } from 'node:fs';

import {
  type Asset,
  HORIZONS,
  type Horizon,
  type Probabilities,
  SYMBOLS,
} from '#features/analysis/contract/predictions.ts';
import type { Ranges } from '#features/analysis/server/predictions/scoring/ranges.ts';
import { linearPool } from '#features/analysis/server/predictions/service.ts';
import { canonicalJson, sha256 } from '#kernel/canonical-json.ts';
import { confidenceOf, directionOf } from '../answer.ts';
import type { Answer, Climatology, Opinion, Term } from '../types.ts';
import { type CoinCandles, createForecaster, type Forecast, SETTINGS } from './volatility-model.ts';

export const LOCAL = { id: 'local', name: 'Built-in analyst (statistics, no AI)', letter: 'S' } as const;
export const MODEL = 'volatility';
const RULES = 'rules-2';

const source = readFileSync(new URL('./volatility-model.ts', import.meta.url), 'utf8');
/** Changes with every change of the model's code or settings. */
export const VERSION = sha256(source).slice(0, 12);

const DAY_MS = 86_400_000;
const UNIFORM: Probabilities = { up: 1 / 3, flat: 1 / 3, down: 1 / 3 };
/** A smaller weekday effect is not worth a sentence. */
const LEAST_WEEKDAY_EFFECT = 0.02;

type Known = { asset: Asset; forecast: Forecast };

/**
 * The volatility model's answer for every asset and the market at a moment; `coins` hold completed days only. A `forecaster` of
 * the same coins may include later days.
 */
export function localAnswer(
  coins: readonly CoinCandles[],
  at: Date,
  climatology: Climatology,
  forecaster = createForecaster(coins),
): Answer {
  const newest = Math.max(...coins.map(({ candles }) => candles.at(-1)?.day ?? 0));
  const forecasts = new Map(
    HORIZONS.map((horizon) => [
      horizon,
      new Map(forecaster.at(newest, horizon, at.getTime() / DAY_MS).map((forecast) => [forecast.coin, forecast])),
    ]),
  );
  const callOf = (asset: Asset, horizon: Horizon): Probabilities =>
    forecasts.get(horizon)?.get(asset)?.probabilities ?? climatology[asset]?.[horizon] ?? UNIFORM;
  const assets = Object.fromEntries(
    SYMBOLS.map((asset) => [asset, Object.fromEntries(HORIZONS.map((horizon) => [horizon, callOf(asset, horizon)]))]),
  ) as Opinion['assets'];
  const ranges = Object.fromEntries(
    SYMBOLS.map((asset) => [
      asset,
      Object.fromEntries(
        HORIZONS.flatMap((horizon) => {
          const forecast = forecasts.get(horizon)?.get(asset);
          return forecast ? [[horizon, forecast.ranges]] : [];
        }),
      ),
    ]),
  ) as NonNullable<Opinion['ranges']>;
  const market = Object.fromEntries(
    HORIZONS.map((horizon) => {
      const pooled = linearPool(SYMBOLS.map((asset) => assets[asset][horizon])) ?? UNIFORM;
      const known = SYMBOLS.flatMap((asset): Known[] => {
        const forecast = forecasts.get(horizon)?.get(asset);
        return forecast ? [{ asset, forecast }] : [];
      });
      return [horizon, termOf(horizon, pooled, known)];
    }),
  ) as Record<Horizon, Term>;
  return {
    opinion: { reasoning: market['7d'].reasoning, market, assets, ranges },
    imputed: false,
    model: MODEL,
    modelVersion: VERSION,
    promptVersion: RULES,
    promptHash: sha256(canonicalJson({ rules: RULES, settings: SETTINGS })),
    inputHash: sha256(JSON.stringify(coins)),
    usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
    structured: 'json_schema',
  };
}

const percent = (share: number, digits = 0) => `${(100 * share).toFixed(digits)}%`;

/** The 80% range as simple returns: `−7.4% to +8.0%`. */
const rangeText = ({ 80: { low, high } }: Ranges): string =>
  `−${percent(-Math.expm1(low), 1)} to +${percent(Math.expm1(high), 1)}`;

const comparedOf = (percentile: number): string =>
  percentile >= 0.5 ? `wider than ${percent(percentile)}` : `narrower than ${percent(1 - percentile)}`;

function weekdayOf(known: readonly Known[]): string {
  const factor = known.reduce((sum, { forecast }) => sum + forecast.weekday, 0) / known.length;
  if (Math.abs(factor - 1) < LEAST_WEEKDAY_EFFECT) return '';
  return ` The weekday makes them ${percent(Math.abs(factor - 1))} ${factor < 1 ? 'narrower' : 'wider'}.`;
}

function termOf(horizon: Horizon, probabilities: Probabilities, known: readonly Known[]): Term {
  const { up, flat, down } = probabilities;
  const said = `${horizon}: up ${percent(up)}, flat ${percent(flat)}, down ${percent(down)}.`;
  const percentile = known.reduce((sum, { forecast }) => sum + forecast.percentile, 0) / known.length;
  const ranges = known.map(({ asset, forecast }) => `${asset} ${rangeText(forecast.ranges)}`).join(', ');
  const why =
    known.length > 0
      ? `80% ranges: ${ranges}. On average they are ${comparedOf(percentile)} of the past year.${weekdayOf(known)} Direction: no evidence.`
      : 'Not enough price history for a forecast, so these are the base rates of the past year.';
  return {
    probabilities,
    direction: directionOf(probabilities),
    confidence: confidenceOf(probabilities),
    reasoning: `${said} ${why}`,
    factors_analyzed: [
      'Realized volatility over 1, 5, 22 and 66 days, from daily open, high, low and close',
      '30-day volatility, which defines "flat"',
      ...(horizon === '24h' ? ['Day of the week'] : []),
    ],
    key_factors: known.map(
      ({ asset, forecast }) =>
        `${asset}: 80% range ${rangeText(forecast.ranges)}, ${comparedOf(forecast.percentile)} of the past year`,
    ),
    risk_factors: [
      'Uses past prices only: no news, no calendar',
      'Forecasts the size of price moves, not their direction',
    ],
  };
}
