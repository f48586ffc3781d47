import { SHIPPED } from '#shared/us-series.ts';

import {
  type Expectations,
  type Forecast,
  type Indicator,
  type InflationReading,
  inflationTopic,
  type LatestInflation,
  type Release,
} from '../contract.ts';
import type { InflationContext } from './context.ts';
import { commentaryAnswer, commentaryQuestion, subjectOf } from './service/ask.ts';
import { checkReleases, refreshAll } from './service/collect.ts';
import { commentaryOf } from './service/commentary.ts';
import { expectationsOf } from './service/expected.ts';
import { forecastComing, writeForecastPast } from './service/forecast.ts';
import {
  comingReleases,
  historyOf,
  INDICATOR_ORDER,
  INDICATOR_PARTS,
  keyOf,
  releasesOf,
  summaryOf,
} from './service/indicators.ts';
import { type Print, printsOf } from './service/prints.ts';
import { monthName } from './service/rates.ts';
import { forecastOf } from './service/record.ts';
import { sentimentOf } from './service/sentiment.ts';
import { SHIPPED_NAME, SHIPPED_SOURCE, shippedVintages } from './shipped.ts';
import { addCommentary, addVintages, allExpectations, allForecasts, allVintages, findCommentary } from './store.ts';
import type { Vintage } from './types.ts';
import { EMPTY, type View, viewOf } from './view.ts';

export type { InflationContext } from './context.ts';
export type { Print } from './service/prints.ts';

export type Inflation = {
  ctx: InflationContext;
  start: () => Promise<void>;
  reload: () => Promise<void>;
  onChange: (handler: () => void) => void;
  latest: () => LatestInflation;
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

  const known = () => ({ consensusOn: sources.isOn('consensus-calendar'), nameOf: sources.nameOf });
  const timestamp = () => now().toISOString();

  const figures = (at: Date) => ({
    cpi: summaryOf(view, 'cpi', at, sources.nameOf) as LatestInflation['cpi'],
    pce: summaryOf(view, 'pce', at, sources.nameOf) as LatestInflation['pce'],
    ppi: summaryOf(view, 'ppi', at, sources.nameOf) as LatestInflation['ppi'],
  });

  function noteOf(at: Date): string | null {
    const through = monthName(SHIPPED.through);
    if (mode === 'demo')
      return `CPI, core CPI, core PCE and PPI up to ${through} are true figures (${SHIPPED_NAME}); later ones and all other series are simulated.`;
    const isOld = !view.vintages.some(
      ({ source, published_at }) => source !== SHIPPED_SOURCE && new Date(published_at) <= at,
    );
    return isOld
      ? `No source has answered yet: these are the figures that ship with the product, up to ${through} (${SHIPPED_NAME}).`
      : null;
  }

  async function load(): Promise<View> {
    const [vintages, expectations, forecasts] = await Promise.all([
      allVintages(db),
      allExpectations(db),
      allForecasts(db),
    ]);
    const next = viewOf({ vintages, expectations, forecasts, commentary: null });
    view = next;
    return viewOf({ ...next, commentary: (await findCommentary(db, subjectOf(figures(now())))) ?? null });
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
    const newest = figures(now());
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
    latest() {
      const at = now();
      const newest = figures(at);
      const { commentary } = view;
      const ai = commentary && commentary.subject === subjectOf(newest) ? commentary : null;
      return {
        timestamp: at.toISOString(),
        ...newest,
        expectations: expectationsOf(view, at, known()),
        commentary: {
          ...commentaryOf(newest),
          ai: ai && { text: ai.text, provider: ai.provider, model: ai.model, at: ai.at },
        },
        history: Object.fromEntries(
          INDICATOR_ORDER.flatMap((type) =>
            INDICATOR_PARTS.map((part) => [keyOf(type, part), historyOf(view, type, part, at)]),
          ),
        ),
        next: comingReleases(at),
        note: noteOf(at),
      };
    },
    releases: (days) => ({
      timestamp: timestamp(),
      releases: releasesOf(view, days, now()),
      next: comingReleases(now()),
    }),
    forecasts: () => ({
      timestamp: timestamp(),
      forecasts: { cpi: forecastOf(view, 'cpi', now()), pce: forecastOf(view, 'pce', now()) },
    }),
    expectations: () => ({ timestamp: timestamp(), expectations: expectationsOf(view, now(), known()) }),
    sentiment: () => ({
      timestamp: timestamp(),
      data: sentimentOf(view, expectationsOf(view, now(), known()), now()),
    }),
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
