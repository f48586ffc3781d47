import type { Expectations, Indicator, LatestInflation } from '../contract.ts';
import { INDICATORS } from '../contract.ts';
import type { Mood } from './words.ts';

/** A release of today as the dialog tells it; rates in percent a month. */
export type News = {
  type: Indicator;
  date: string;
  period: string | null;
  mom: number | null;
  core: number | null;
  yoy: number | null;
  consensus: number | null;
  surprise: number | null;
};

/** Bearish when headline or core rose by more than 0.3 in a month, bullish when one fell by more than 0.2. */
export function moodOfRelease({ mom, core }: Pick<News, 'mom' | 'core'>): Mood {
  const known = [mom, core].filter((value) => value !== null);
  if (known.some((value) => value > 0.3)) return 'bearish';
  return known.some((value) => value < -0.2) ? 'bullish' : 'neutral';
}

function newsOf(type: Indicator, latest: LatestInflation, expectations: Expectations): News | null {
  const { cpi, pce, ppi } = latest;
  const { consensus, surprise } = expectations[type].headline;
  const of = { cpi, pce, ppi }[type];
  if (!of?.date) return null;
  const facts = { type, date: of.date, period: of.period, consensus, surprise };
  if (type === 'cpi' && cpi) return { ...facts, mom: cpi.cpiMoM, core: cpi.coreCPIMoM, yoy: cpi.cpiYoY };
  if (type === 'pce' && pce) return { ...facts, mom: pce.pceMoM, core: pce.corePCEMoM, yoy: pce.pceYoY };
  return ppi && { ...facts, mom: ppi.ppiMoM, core: ppi.corePPIMoM, yoy: ppi.ppiYoY };
}

/** What came out today (UTC) and was not shown yet. PPI goes first. */
export function newsToday(
  latest: LatestInflation,
  expectations: Expectations,
  today: string,
  seen: (type: Indicator) => string | null,
): News | null {
  for (const type of INDICATORS.toReversed()) {
    const news = newsOf(type, latest, expectations);
    if (news && news.date === today && seen(type) !== news.date) return news;
  }
  return null;
}
