import type { AnalystAnswer } from '#features/analysis/server/analysis/service.ts';
import { AppError } from '#kernel/errors.ts';
import { nextRelease, releasesBetween, type ScheduledRelease } from '#shared/release-calendar.ts';
import { SHIPPED } from '#shared/us-series.ts';

import type { InflationContext } from '../context.ts';
import { addForecasts } from '../store.ts';
import type { Forecast } from '../types.ts';
import type { View } from '../view.ts';
import { type ForecastInput, forecastAnswer, forecastInput, forecastQuestion, hashInput } from './ask.ts';
import { readExpectations } from './collect.ts';
import { newestPeriod, seriesIds, tenths } from './rates.ts';

const LOCAL_FORECASTER = { id: 'local', name: 'Built-in forecaster (statistics, no AI)' };

const WINDOW = 24;
const MIN_MONTHS = 6;
/** Prior weight against persistence, in months. */
const PRIOR = 12;

type LocalForecast = { prediction: number; confidence: number | null };

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function expect(values: readonly number[]): number {
  const window = values.slice(-WINDOW);
  const middle = mean(window);
  const off = window.map((value) => value - middle);
  const pairs = off.slice(1).map((value, i) => value * (off[i] ?? 0));
  const squares = off.reduce((sum, value) => sum + value * value, 0);
  const seen = squares > 0 ? pairs.reduce((sum, value) => sum + value, 0) / squares : 0;
  const persistence = Math.max(-0.5, Math.min(0.8, (seen * window.length) / (window.length + PRIOR)));
  return middle + persistence * ((window.at(-1) ?? middle) - middle);
}

/**
 * The mean of the last 24 monthly changes, plus the persistent part of the last deviation from it. Its confidence is
 * how often the same rule was within a tenth in the past, each time with the data known then.
 */
export function localForecast(changes: readonly number[]): LocalForecast | null {
  if (changes.length < MIN_MONTHS) return null;
  const tried = changes
    .slice(MIN_MONTHS)
    .map((actual, i) => Math.abs(tenths(expect(changes.slice(0, i + MIN_MONTHS))) - actual));
  const hits = tried.slice(-WINDOW).filter((error) => error < 0.1 + 1e-9).length;
  return {
    prediction: Number(expect(changes).toFixed(2)) + 0,
    confidence: tried.length > 0 ? Math.round((100 * hits) / Math.min(WINDOW, tried.length)) : null,
  };
}

const DAY_MS = 86_400_000;
export const FORECAST_TYPES = ['cpi', 'pce'] as const;
type Type = (typeof FORECAST_TYPES)[number];
type Ask = (input: ForecastInput) => Promise<AnalystAnswer[]>;

const known = (history: ForecastInput['history'], field: 'mom' | 'core_mom') =>
  history.flatMap((month) => month[field] ?? []);

/** All forecasts of a release at a moment, from data known then. */
async function askModel(
  { mode }: Pick<InflationContext, 'mode'>,
  view: View,
  { type, release, at, ask }: { type: Type; release: ScheduledRelease; at: Date; ask: Ask },
): Promise<Forecast[]> {
  const input = forecastInput(view, type, release, at);
  const base = {
    type,
    period: release.period,
    issued_at: at.toISOString(),
    release_at: release.at.toISOString(),
    input_hash: hashInput(input),
    method: mode === 'demo' ? ('demo' as const) : ('computed' as const),
  };
  const forecasts = (await ask(input)).flatMap(({ analyst, name, reply }): Forecast[] => {
    const answer = forecastAnswer.safeParse(reply?.value);
    if (!reply || !answer.success) return [];
    return [{ ...base, forecaster: analyst, name, model: reply.model, ...answer.data }];
  });
  const [changes, cores] = [known(input.history, 'mom'), known(input.history, 'core_mom')];
  const [own, core] = [localForecast(changes), localForecast(cores)];
  if (!own) return forecasts;
  const { id, name } = LOCAL_FORECASTER;
  const reasoning = `Average of the last ${Math.min(24, changes.length)} monthly changes, plus the part of the latest that usually persists, ${changes.at(-1)}%.`;
  return [
    ...forecasts,
    {
      ...base,
      forecaster: id,
      name,
      model: null,
      prediction: own.prediction,
      core: core?.prediction ?? null,
      confidence: own.confidence,
      reasoning,
    },
  ];
}

/** Freezes forecasts; a published release can no longer be forecast. */
export async function freezeForecasts(
  ctx: InflationContext,
  view: View,
  forecasts: readonly Forecast[],
  at: Date,
): Promise<void> {
  for (const { type, period, release_at } of forecasts) {
    const isKnown = view.levels.at(seriesIds(type, 'headline').adjusted, period, at)?.value != null;
    if (at.getTime() >= Date.parse(release_at) || isKnown)
      throw new AppError(
        'conflict',
        `The ${type.toUpperCase()} for ${period} has been released and can no longer be forecast`,
      );
  }
  await addForecasts(ctx.db, forecasts);
}

/** Requests forecasts of each upcoming release once, as soon as the preceding figures are known. */
export async function forecastComing(ctx: InflationContext, view: View, signal: AbortSignal): Promise<Type[]> {
  const at = ctx.now();
  const done: Type[] = [];
  for (const type of FORECAST_TYPES) {
    const release = nextRelease(type, at);
    const last = releasesBetween(new Date(at.getTime() - 100 * DAY_MS), at, [type]).at(-1);
    const newest = newestPeriod(view.levels, type, at);
    const isSaid = view.forecasts.some((each) => each.type === type && each.period === release.period);
    const isOut = newest !== null && newest >= release.period;
    if (isSaid || isOut || !newest || (last && newest < last.period)) continue;
    const ask: Ask = (input) => ctx.analysis.ask(forecastQuestion(input), signal);
    const forecasts = await askModel(ctx, view, { type, release, at, ask });
    await freezeForecasts(ctx, view, forecasts, ctx.now());
    if (forecasts.length > 0) done.push(type);
  }
  return done;
}

/**
 * Demo only: generates expectations and forecasts for releases since the official history ended, by running the current
 * code at each moment. Resumes after an interruption.
 */
export async function writeForecastPast(ctx: InflationContext, view: View, signal: AbortSignal): Promise<boolean> {
  if (ctx.mode !== 'demo' || !ctx.openPast) return false;
  const now = ctx.now();
  const from = new Date(`${SHIPPED.through}-01T00:00:00Z`);
  const past = releasesBetween(from, now, ['cpi', 'pce', 'ppi']).filter(({ period }) => period > SHIPPED.through);
  const forecastKeys = new Set(view.forecasts.map(({ type, period }) => `${type} ${period}`));
  const expectedKeys = new Set(
    view.expectations.flatMap(({ kind, type, period }) => (kind === 'consensus' ? [`${type} ${period}`] : [])),
  );
  const open = past.filter(
    ({ type, period }) =>
      !expectedKeys.has(`${type} ${period}`) || (type !== 'ppi' && !forecastKeys.has(`${type} ${period}`)),
  );
  if (open.length === 0) return false;
  const world = await ctx.openPast();
  const pastClient = (at: Date) => (source: string) => ctx.sources.clientAt(source, world.config, at);
  try {
    for (const release of open) {
      if (signal.aborted) break;
      const { type, period } = release;
      if (type !== 'ppi' && !forecastKeys.has(`${type} ${period}`)) {
        const before = releasesBetween(
          new Date(release.at.getTime() - 120 * DAY_MS),
          new Date(release.at.getTime() - DAY_MS),
          [type],
        ).at(-1);
        const at = new Date((before?.at ?? release.at).getTime() + (before ? 3_600_000 : -7 * DAY_MS));
        await world.moveTo(at);
        const elsewhere = { config: world.config, now: () => at, clientOf: pastClient(at) };
        const ask: Ask = (input) => ctx.analysis.ask(forecastQuestion(input), signal, { elsewhere });
        const forecasts = await askModel(ctx, view, { type: type as Type, release, at, ask });
        await freezeForecasts(ctx, view, forecasts, at);
      }
      if (!expectedKeys.has(`${type} ${period}`)) {
        const at = new Date(release.at.getTime() - DAY_MS / 2);
        await world.moveTo(at);
        await readExpectations(ctx, {
          config: world.config,
          now: at,
          clientOf: pastClient(at),
          signal,
          only: 'consensus-calendar',
        });
      }
    }
  } finally {
    await world.close();
  }
  return true;
}
