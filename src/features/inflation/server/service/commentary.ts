import type { Indicator, LatestInflation, YearGap } from '#features/inflation/contract.ts';

import { monthName } from './rates.ts';

/** A yearly rate in percent; `period` is set if it is not that of the newest month. */
type Yearly = { value: number; period: string | null };
type Rates = { mom: number | null; yoy: Yearly | null; coreYoy: Yearly | null; twoYears: number | null };

const NOTHING = 'Inflation data analysis not available.';

/** "Consumer prices are 3.1% above last year’s", or for the newest month with a rate. */
const above = (what: string, { value, period }: Yearly): string =>
  period === null
    ? `${what} are ${value}% above last year’s`
    : `${what} were ${value}% above the year before in ${monthName(period)}, the latest month with a yearly rate`;

function cpi({ yoy, coreYoy }: Rates): string[] {
  const sentences: string[] = [];
  if (yoy) {
    const pressure = yoy.value > 3 ? 'inflation pressure is persistent' : 'inflation is within its range';
    sentences.push(`${above('Consumer prices', yoy)}: ${yoy.value < 2 ? 'inflation is cooling' : pressure}.`);
  }
  if (yoy && coreYoy && yoy.period === coreYoy.period && coreYoy.value > yoy.value)
    sentences.push(
      `The core rate of ${coreYoy.value}% is above the headline: the pressure is not only food and energy.`,
    );
  return sentences;
}

function pce({ yoy }: Rates): string[] {
  if (!yoy) return [];
  const what = above('Consumer spending prices', yoy);
  if (yoy.value > 2.5) return [`${what}: strong, above the Federal Reserve’s target.`];
  return [
    yoy.value < 1.5
      ? `${what}: weak, below the Federal Reserve’s target.`
      : `${what}: close to the Federal Reserve’s target.`,
  ];
}

function ppi({ mom, yoy }: Rates): string[] {
  const sentences: string[] = [];
  if (mom !== null && mom > 0.5) sentences.push(`Producer prices rose ${mom}% month over month: costs are rising.`);
  if (mom !== null && mom < -0.2)
    sentences.push(`Producer prices fell ${Math.abs(mom)}% month over month: costs are falling.`);
  if (yoy && yoy.value > 3) sentences.push(`${above('Producer prices', yoy)}: the pressure is sustained.`);
  if (sentences.length === 0 && mom !== null)
    sentences.push(`Producer prices changed ${mom}% month over month: no unusual pressure.`);
  return sentences;
}

const SENTENCES: Readonly<Record<Indicator, (rates: Rates) => string[]>> = { cpi, pce, ppi };
const NAMES: Readonly<Record<Indicator, string>> = { cpi: 'Consumer', pce: 'Consumer spending', ppi: 'Producer' };

/** Sentences by fixed thresholds, from the available rates; a fallback only when there are none. */
export function indicatorSentences(type: Indicator, rates: Rates): string[] {
  const sentences = SENTENCES[type](rates);
  const { mom, yoy, twoYears } = rates;
  if ((!yoy || yoy.period !== null) && twoYears !== null)
    sentences.push(`${NAMES[type]} prices rose ${twoYears}% per year over the last two years.`);
  if (sentences.length === 0 && mom !== null) sentences.push(`${NAMES[type]} prices changed ${mom}% month over month.`);
  return sentences.length > 0 ? sentences : [NOTHING];
}

const toYearly = (value: number | null, gap: YearGap | undefined): Yearly | null => {
  if (value !== null) return { value, period: null };
  return gap?.newestYoY == null ? null : { value: gap.newestYoY, period: gap.newestPeriod };
};

type Known = Pick<LatestInflation, 'cpi' | 'pce' | 'ppi'>;

export function buildCommentary({ cpi, pce, ppi }: Known): Omit<LatestInflation['commentary'], 'ai'> {
  const of = (
    type: Indicator,
    figures: { gaps: Record<string, YearGap> } | null,
    [mom, yoy, core]: readonly (number | null | undefined)[],
  ) => {
    if (!figures) return [];
    const key = type.toUpperCase();
    const gap = figures.gaps[`${type}YoY`];
    return indicatorSentences(type, {
      mom: mom ?? null,
      yoy: toYearly(yoy ?? null, gap),
      coreYoy: toYearly(core ?? null, figures.gaps[`core${key}YoY`]),
      twoYears: gap?.twoYearRate ?? null,
    });
  };
  return {
    cpi: of('cpi', cpi, [cpi?.cpiMoM, cpi?.cpiYoY, cpi?.coreCPIYoY]),
    pce: of('pce', pce, [pce?.pceMoM, pce?.pceYoY, pce?.corePCEYoY]),
    ppi: of('ppi', ppi, [ppi?.ppiMoM, ppi?.ppiYoY, ppi?.corePPIYoY]),
  };
}
