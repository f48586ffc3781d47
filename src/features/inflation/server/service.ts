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
import { commentaryAnswer, commentaryQuestion, inputSubject } from './service/ask.ts';
import { checkReleases, refreshAll } from './service/collect.ts';
import { buildCommentary } from './service/commentary.ts';
import { readExpectationsAt } from './service/expected.ts';
import { forecastComing, writeForecastPast } from './service/forecast.ts';
import {
  comingReleases,
  figureKey,
  INDICATOR_ORDER,
  INDICATOR_PARTS,
  listUpcomingReleases,
  readHistory,
  releasedAt,
  type SourceNaming,
  toSummary,
} from './service/indicators.ts';
import { monthly, monthName, printed, seriesIds } from './service/rates.ts';
import { findForecast } from './service/record.ts';
import { computeSentiment } from './service/sentiment.ts';
import { SHIPPED_NAME, SHIPPED_SOURCE, shippedVintages } from './shipped.ts';
import { addCommentary, addVintages, allExpectations, allForecasts, allVintages, findCommentary } from './store.ts';
import type { Vintage } from './types.ts';
import { createView, EMPTY, findExpected, type View, viewAt } from './view.ts';

/** A past headline release in percent per month. */
export type ReleaseResult = {
  period: string;
  releasedAt: Date;
  /** The first released value if known, else the current one. */
  actual: number | null;
  isFirstPrint: boolean;
  consensus: number | null;
  nowcast: number | null;
  previous: number | null;
};

function releaseResult(view: View, type: Indicator, period: string, at: Date): ReleaseResult | null {
  const { levels } = view;
  const released = releasedAt(view, type, period);
  if (!released || released > at) return null;
  const first = printed(levels, type, 'headline', period);
  const expected = (kind: 'consensus' | 'nowcast') =>
    findExpected(view, { type, measure: 'headline', period, kind }, released)?.value ?? null;
  return {
    period,
    releasedAt: released,
    actual: (first ?? monthly(levels, type, 'headline', period, at)).value,
    isFirstPrint: first !== null,
    consensus: expected('consensus'),
    nowcast: expected('nowcast'),
    previous: monthly(levels, type, 'headline', addMonths(period, -1), at).value,
  };
}

const periodsOf = ({ levels }: View, type: Indicator) => levels.periods(seriesIds(type, 'headline').adjusted);

const listReleases = (view: View, type: Indicator, at: Date): ReleaseResult[] =>
  periodsOf(view, type).flatMap((period) => releaseResult(view, type, period, at) ?? []);

function newestRelease(view: View, type: Indicator, at: Date): ReleaseResult | null {
  for (const period of periodsOf(view, type).toReversed()) {
    const result = releaseResult(view, type, period, at);
    if (result) return result;
  }
  return null;
}

/** Context for formatting responses. */
type ReadOptions = { mode: DataMode; consensusOn: boolean; nameOf: SourceNaming };

const RELEASE_DAYS = 7;

const buildFigures = (view: View, at: Date, nameOf: SourceNaming) => ({
  cpi: toSummary(view, 'cpi', at, nameOf) as LatestInflation['cpi'],
  pce: toSummary(view, 'pce', at, nameOf) as LatestInflation['pce'],
  ppi: toSummary(view, 'ppi', at, nameOf) as LatestInflation['ppi'],
});

function shutdownNote({ vintages }: View, at: Date, mode: DataMode): string | null {
  const through = monthName(SHIPPED.through);
  if (mode === 'demo')
    return `CPI, core CPI, core PCE and PPI up to ${through} are official figures (${SHIPPED_NAME}); later figures and all other series are simulated.`;
  const isOld = !vintages.some(({ source, published_at }) => source !== SHIPPED_SOURCE && new Date(published_at) <= at);
  return isOld
    ? `No source has responded yet. Showing the figures bundled with the product, up to ${through} (${SHIPPED_NAME}).`
    : null;
}

function readLatest(view: View, at: Date, readContext: ReadOptions): LatestInflation {
  const newest = buildFigures(view, at, readContext.nameOf);
  const { commentary } = view;
  const ai = commentary && commentary.subject === inputSubject(newest) ? commentary : null;
  return {
    timestamp: at.toISOString(),
    ...newest,
    expectations: readExpectationsAt(view, at, readContext),
    commentary: {
      ...buildCommentary(newest),
      ai: ai && { text: ai.text, provider: ai.provider, model: ai.model, at: ai.at },
    },
    history: Object.fromEntries(
      INDICATOR_ORDER.flatMap((type) =>
        INDICATOR_PARTS.map((part) => [figureKey(type, part), readHistory(view, type, part, at)]),
      ),
    ),
    next: comingReleases(at),
    note: shutdownNote(view, at, readContext.mode),
  };
}

const readForecasts = (view: View, at: Date): { cpi: Forecast; pce: Forecast } => ({
  cpi: findForecast(view, 'cpi', at),
  pce: findForecast(view, 'pce', at),
});

const readSentiment = (view: View, at: Date, readContext: ReadOptions): InflationReading =>
  computeSentiment(view, readExpectationsAt(view, at, readContext), at);

/** The card at a past moment, from a view without later data. */
function readPast(view: View, at: Date, readContext: ReadOptions): InflationEarlier {
  return {
    latest: readLatest(view, at, readContext),
    releases: listUpcomingReleases(view, RELEASE_DAYS, at),
    forecasts: readForecasts(view, at),
    expectations: readExpectationsAt(view, at, readContext),
    reading: readSentiment(view, at, readContext),
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
  prints: (type: Indicator) => ReleaseResult[];
  /** The newest release by `at` (now by default), in the figures known then. */
  newestPrint: (type: Indicator, at?: Date) => ReleaseResult | null;
  /** The current level of one month of a series; undefined when it was never published. */
  level: (series: string, period: string) => Vintage | undefined;
  /** Checks for due releases. */
  check: (signal: AbortSignal) => Promise<void>;
  /** Rereads everything. */
  refresh: (signal: AbortSignal) => Promise<void>;
  /** Requests forecasts of upcoming releases and a commentary on the newest. */
  askAnalysts: (signal: AbortSignal) => Promise<void>;
};

/** Official prices of this process, synchronised with the database by the live topic. */
export function createInflation(ctx: InflationContext): Inflation {
  const { db, mode, now, live, sources, analysis } = ctx;
  const handlers = new Set<() => void>();
  let view: View = EMPTY;

  const readContext = () => ({ mode, consensusOn: sources.isOn('consensus-calendar'), nameOf: sources.nameOf });
  const timestamp = () => now().toISOString();
  const figures = (of: View, at: Date) => buildFigures(of, at, sources.nameOf);

  async function load(): Promise<View> {
    const [vintages, expectations, forecasts] = await Promise.all([
      allVintages(db),
      allExpectations(db),
      allForecasts(db),
    ]);
    const next = createView({ vintages, expectations, forecasts, commentary: null });
    view = next;
    return createView({ ...next, commentary: (await findCommentary(db, inputSubject(figures(next, now())))) ?? null });
  }
  async function reload(): Promise<void> {
    view = await load();
    for (const handler of handlers) handler();
  }
  async function publishChange(types: readonly Indicator[]): Promise<void> {
    await reload();
    await live.publish(inflationTopic, { at: now().getTime(), types: [...types] });
  }

  async function comment(signal: AbortSignal): Promise<boolean> {
    const newest = figures(view, now());
    const subject = inputSubject(newest);
    if (!newest.cpi || view.commentary?.subject === subject || (await findCommentary(db, subject))) return false;
    const [analyst] = await analysis.ask(commentaryQuestion(newest), signal, { one: true });
    const answer = commentaryAnswer.safeParse(analyst?.reply?.value);
    if (!analyst?.reply || !answer.success) return false;
    await addCommentary(db, {
      subject,
      text: answer.data.text,
      provider: analyst.name,
      model: analyst.reply.model,
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
    latest: () => readLatest(view, now(), readContext()),
    async at(moment) {
      const then = { ...viewAt(view, moment), commentary: null };
      const found = await findCommentary(db, inputSubject(figures(then, moment)));
      const commentary = found && Date.parse(found.at) <= moment.getTime() ? found : null;
      return readPast({ ...then, commentary }, moment, readContext());
    },
    releases: (days) => ({
      timestamp: timestamp(),
      releases: listUpcomingReleases(view, days, now()),
      next: comingReleases(now()),
    }),
    forecasts: () => ({ timestamp: timestamp(), forecasts: readForecasts(view, now()) }),
    expectations: () => ({ timestamp: timestamp(), expectations: readExpectationsAt(view, now(), readContext()) }),
    sentiment: () => ({ timestamp: timestamp(), data: readSentiment(view, now(), readContext()) }),
    prints: (type) => listReleases(view, type, now()),
    newestPrint: (type, at = now()) => newestRelease(view, type, at),
    level: (series, period) => view.levels.at(series, period, now()),
    async check(signal) {
      if (await checkReleases(ctx, signal)) await publishChange(INDICATOR_ORDER);
    },
    async refresh(signal) {
      if (await refreshAll(ctx, signal)) await publishChange(INDICATOR_ORDER);
    },
    async askAnalysts(signal) {
      view = await load();
      const hasPast = await writeForecastPast(ctx, view, signal);
      if (hasPast) view = await load();
      const types = await forecastComing(ctx, view, signal);
      const hasCommentary = await comment(signal);
      if (hasPast || hasCommentary) await publishChange(INDICATOR_ORDER);
      else if (types.length > 0) await publishChange(types);
    },
  };
}
