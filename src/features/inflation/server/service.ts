import {
  type Expectations,
  type Forecast,
  type Indicator,
  type InflationEarlier,
  type InflationReading,
  inflationTopic,
  type LatestInflation,
  type Release,
} from '../contract.ts';
import type { InflationContext } from './context.ts';
import { earlierOf, figuresOf, forecastsOf, latestOf, readingOf } from './service/answers.ts';
import { commentaryAnswer, commentaryQuestion, subjectOf } from './service/ask.ts';
import { checkReleases, refreshAll } from './service/collect.ts';
import { expectationsOf } from './service/expected.ts';
import { forecastComing, writeForecastPast } from './service/forecast.ts';
import { comingReleases, INDICATOR_ORDER, releasesOf } from './service/indicators.ts';
import { type Print, printsOf } from './service/prints.ts';
import { shippedVintages } from './shipped.ts';
import { addCommentary, addVintages, allExpectations, allForecasts, allVintages, findCommentary } from './store.ts';
import type { Vintage } from './types.ts';
import { EMPTY, type View, viewAt, viewOf } from './view.ts';

export type { InflationContext } from './context.ts';
export type { Print } from './service/prints.ts';

export type Inflation = {
  ctx: InflationContext;
  start: () => Promise<void>;
  reload: () => Promise<void>;
  onChange: (handler: () => void) => void;
  latest: () => LatestInflation;
  /** Everything of an earlier moment, as it stood then. */
  at: (moment: Date) => Promise<InflationEarlier>;
  releases: (days: number) => { timestamp: string; releases: Release[]; next: LatestInflation['next'] };
  forecasts: () => { timestamp: string; forecasts: { cpi: Forecast; pce: Forecast } };
  expectations: () => { timestamp: string; expectations: Expectations };
  sentiment: () => { timestamp: string; data: InflationReading };
  /** Past prints with what was expected of them, oldest first. */
  prints: (type: Indicator) => Print[];
  /** What stands of one month of a series; undefined when it was never published. */
  level: (series: string, period: string) => Vintage | undefined;
  /** Looks for releases that are due. */
  check: (signal: AbortSignal) => Promise<void>;
  /** Reads everything anew. */
  refresh: (signal: AbortSignal) => Promise<void>;
  /** Asks about the coming releases, and for a commentary on the newest. */
  speak: (signal: AbortSignal) => Promise<void>;
};

/** Official prices of this process, kept in step with the database by the live topic. */
export function createInflation(ctx: InflationContext): Inflation {
  const { db, mode, now, live, sources, analysis } = ctx;
  const handlers = new Set<() => void>();
  let view: View = EMPTY;

  const telling = () => ({ mode, consensusOn: sources.isOn('consensus-calendar'), nameOf: sources.nameOf });
  const timestamp = () => now().toISOString();
  const figures = (of: View, at: Date) => figuresOf(of, at, sources.nameOf);

  async function load(): Promise<View> {
    const [vintages, expectations, forecasts] = await Promise.all([
      allVintages(db),
      allExpectations(db),
      allForecasts(db),
    ]);
    const next = viewOf({ vintages, expectations, forecasts, commentary: null });
    view = next;
    return viewOf({ ...next, commentary: (await findCommentary(db, subjectOf(figures(next, now())))) ?? null });
  }
  async function reload(): Promise<void> {
    view = await load();
    for (const handler of handlers) handler();
  }
  async function tell(types: readonly Indicator[]): Promise<void> {
    await reload();
    await live.publish(inflationTopic, { at: now().getTime(), types: [...types] });
  }

  async function comment(signal: AbortSignal): Promise<boolean> {
    const newest = figures(view, now());
    const subject = subjectOf(newest);
    if (!newest.cpi || view.commentary?.subject === subject || (await findCommentary(db, subject))) return false;
    const [spoken] = await analysis.ask(commentaryQuestion(newest), signal, { one: true });
    const answer = commentaryAnswer.safeParse(spoken?.said?.value);
    if (!spoken?.said || !answer.success) return false;
    await addCommentary(db, {
      subject,
      text: answer.data.text,
      provider: spoken.name,
      model: spoken.said.model,
      at: timestamp(),
    });
    return true;
  }

  return {
    ctx,
    async start() {
      if ((await allVintages(db)).length === 0) await addVintages(db, shippedVintages());
      live.on(inflationTopic, reload);
      live.onGap(reload);
      await reload();
    },
    reload,
    onChange: (handler) => handlers.add(handler),
    latest: () => latestOf(view, now(), telling()),
    async at(moment) {
      const then = { ...viewAt(view, moment), commentary: null };
      const found = await findCommentary(db, subjectOf(figures(then, moment)));
      const commentary = found && Date.parse(found.at) <= moment.getTime() ? found : null;
      return earlierOf({ ...then, commentary }, moment, telling());
    },
    releases: (days) => ({
      timestamp: timestamp(),
      releases: releasesOf(view, days, now()),
      next: comingReleases(now()),
    }),
    forecasts: () => ({ timestamp: timestamp(), forecasts: forecastsOf(view, now()) }),
    expectations: () => ({ timestamp: timestamp(), expectations: expectationsOf(view, now(), telling()) }),
    sentiment: () => ({ timestamp: timestamp(), data: readingOf(view, now(), telling()) }),
    prints: (type) => printsOf(view, type, now()),
    level: (series, period) => view.levels.at(series, period, now()),
    async check(signal) {
      if (await checkReleases(ctx, signal)) await tell(INDICATOR_ORDER);
    },
    async refresh(signal) {
      if (await refreshAll(ctx, signal)) await tell(INDICATOR_ORDER);
    },
    async speak(signal) {
      view = await load();
      const hasPast = await writeForecastPast(ctx, view, signal);
      if (hasPast) view = await load();
      const types = await forecastComing(ctx, view, signal);
      const hasCommentary = await comment(signal);
      if (hasPast || hasCommentary) await tell(INDICATOR_ORDER);
      else if (types.length > 0) await tell(types);
    },
  };
}
