import {
  type Expectations,
  type Forecast,
  type Indicator,
  type InflationEarlier,
  type InflationReading,
  inflationTopic,
  type LatestInflation,
  type Release,
} from '#features/inflation/contract.ts';
import type { DataMode } from '#shared/provenance.ts';
import { addMonths } from '#shared/release-calendar.ts';
import { SHIPPED } from '#shared/us-series.ts';
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
  type Naming,
  releasedAt,
  releasesOf,
  summaryOf,
} from './service/indicators.ts';
import { monthly, monthName, printed, seriesOf } from './service/rates.ts';
import { forecastOf } from './service/record.ts';
import { sentimentOf } from './service/sentiment.ts';
import { SHIPPED_NAME, SHIPPED_SOURCE, shippedVintages } from './shipped.ts';
import { addCommentary, addVintages, allExpectations, allForecasts, allVintages, findCommentary } from './store.ts';
import type { Vintage } from './types.ts';
import { EMPTY, findExpected, type View, viewAt, viewOf } from './view.ts';

/** A past headline release in percent per month. */
export type Print = {
  period: string;
  releasedAt: Date;
  /** The first released value if known, else the current one. */
  actual: number | null;
  isFirstPrint: boolean;
  consensus: number | null;
  nowcast: number | null;
  previous: number | null;
};

function printsOf(view: View, type: Indicator, at: Date): Print[] {
  const { levels } = view;
  return levels.periods(seriesOf(type, 'headline').adjusted).flatMap((period): Print[] => {
    const released = releasedAt(view, type, period);
    if (!released || released > at) return [];
    const first = printed(levels, type, 'headline', period);
    const expected = (kind: 'consensus' | 'nowcast') =>
      findExpected(view, { type, measure: 'headline', period, kind }, released)?.value ?? null;
    return [
      {
        period,
        releasedAt: released,
        actual: (first ?? monthly(levels, type, 'headline', period, at)).value,
        isFirstPrint: first !== null,
        consensus: expected('consensus'),
        nowcast: expected('nowcast'),
        previous: monthly(levels, type, 'headline', addMonths(period, -1), at).value,
      },
    ];
  });
}

/** Context for formatting responses. */
type Telling = { mode: DataMode; consensusOn: boolean; nameOf: Naming };

const RELEASE_DAYS = 7;

const figuresOf = (view: View, at: Date, nameOf: Naming) => ({
  cpi: summaryOf(view, 'cpi', at, nameOf) as LatestInflation['cpi'],
  pce: summaryOf(view, 'pce', at, nameOf) as LatestInflation['pce'],
  ppi: summaryOf(view, 'ppi', at, nameOf) as LatestInflation['ppi'],
});

function noteOf({ vintages }: View, at: Date, mode: DataMode): string | null {
  const through = monthName(SHIPPED.through);
  if (mode === 'demo')
    return `CPI, core CPI, core PCE and PPI up to ${through} are official figures (${SHIPPED_NAME}); later figures and all other series are simulated.`;
  const isOld = !vintages.some(({ source, published_at }) => source !== SHIPPED_SOURCE && new Date(published_at) <= at);
  return isOld
    ? `No source has responded yet. Showing the figures bundled with the product, up to ${through} (${SHIPPED_NAME}).`
    : null;
}

function latestOf(view: View, at: Date, telling: Telling): LatestInflation {
  const newest = figuresOf(view, at, telling.nameOf);
  const { commentary } = view;
  const ai = commentary && commentary.subject === subjectOf(newest) ? commentary : null;
  return {
    timestamp: at.toISOString(),
    ...newest,
    expectations: expectationsOf(view, at, telling),
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
    note: noteOf(view, at, telling.mode),
  };
}

const forecastsOf = (view: View, at: Date): { cpi: Forecast; pce: Forecast } => ({
  cpi: forecastOf(view, 'cpi', at),
  pce: forecastOf(view, 'pce', at),
});

const readingOf = (view: View, at: Date, telling: Telling): InflationReading =>
  sentimentOf(view, expectationsOf(view, at, telling), at);

/** The card at a past moment, from a view without later data. */
function earlierOf(view: View, at: Date, telling: Telling): InflationEarlier {
  return {
    latest: latestOf(view, at, telling),
    releases: releasesOf(view, RELEASE_DAYS, at),
    forecasts: forecastsOf(view, at),
    expectations: expectationsOf(view, at, telling),
    reading: readingOf(view, at, telling),
  };
}

export type { InflationContext } from './context.ts';

export type Inflation = {
  ctx: InflationContext;
  start: () => Promise<void>;
  reload: () => Promise<void>;
  onChange: (handler: () => void) => void;
  latest: () => LatestInflation;
  /** All data as of a past moment. */
  at: (moment: Date) => Promise<InflationEarlier>;
  releases: (days: number) => { timestamp: string; releases: Release[]; next: LatestInflation['next'] };
  forecasts: () => { timestamp: string; forecasts: { cpi: Forecast; pce: Forecast } };
  expectations: () => { timestamp: string; expectations: Expectations };
  sentiment: () => { timestamp: string; data: InflationReading };
  /** Past releases with their expectations, oldest first. */
  prints: (type: Indicator) => Print[];
  /** The current level of one month of a series; undefined when it was never published. */
  level: (series: string, period: string) => Vintage | undefined;
  /** Checks for due releases. */
  check: (signal: AbortSignal) => Promise<void>;
  /** Rereads everything. */
  refresh: (signal: AbortSignal) => Promise<void>;
  /** Requests forecasts of upcoming releases and a commentary on the newest. */
  speak: (signal: AbortSignal) => Promise<void>;
};

/** Official prices of this process, synchronised with the database by the live topic. */
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
