import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type Expectations, INDICATORS, type Indicator, type LatestInflation } from '#features/inflation/contract.ts';
import { percent } from '#shared/format.ts';
import { cx } from '#ui/cx.ts';
import { Modal } from '#ui/modal.tsx';
import { useNow } from '#ui/now.ts';
import { type Mood, monthName, NAMES, points, rate, surpriseTone, titled } from './labels.ts';
import { inflationQuery } from './queries.ts';

/** Today's release for the dialog; rates in percent per month. */
type News = {
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
export function releaseMood({ mom, core }: Pick<News, 'mom' | 'core'>): Mood {
  const known = [mom, core].filter((value) => value !== null);
  if (known.some((value) => value > 0.3)) return 'bearish';
  return known.some((value) => value < -0.2) ? 'bullish' : 'neutral';
}

function toNews(type: Indicator, latest: LatestInflation, expectations: Expectations): News | null {
  const { cpi, pce, ppi } = latest;
  const { consensus, surprise } = expectations[type].headline;
  const of = { cpi, pce, ppi }[type];
  if (!of?.date) return null;
  const facts = { type, date: of.date, period: of.period, consensus, surprise };
  if (type === 'cpi' && cpi) return { ...facts, mom: cpi.cpiMoM, core: cpi.coreCPIMoM, yoy: cpi.cpiYoY };
  if (type === 'pce' && pce) return { ...facts, mom: pce.pceMoM, core: pce.corePCEMoM, yoy: pce.pceYoY };
  return ppi && { ...facts, mom: ppi.ppiMoM, core: ppi.corePPIMoM, yoy: ppi.ppiYoY };
}

/** Releases of today (UTC) that were not shown yet. PPI first. */
export function newsToday(
  latest: LatestInflation,
  expectations: Expectations,
  today: string,
  seen: (type: Indicator) => string | null,
): News | null {
  for (const type of INDICATORS.toReversed()) {
    const news = toNews(type, latest, expectations);
    if (news && news.date === today && seen(type) !== news.date) return news;
  }
  return null;
}

const OPEN_MS = 10_000;
const FADE_MS = 300;
const seenKey = (type: Indicator) => `lastSeenRelease.${type}`;

function seen(type: Indicator): string | null {
  try {
    return localStorage.getItem(seenKey(type));
  } catch {
    return null;
  }
}

function remember(type: Indicator, date: string): void {
  try {
    localStorage.setItem(seenKey(type), date);
  } catch {
    // Without storage it is shown again on the next visit.
  }
}

const NOW_STEP_MS = 60_000;

/** Announces a price index on its release day, once. */
export function ReleaseModal() {
  const { data } = useQuery(inflationQuery);
  const now = useNow(NOW_STEP_MS);
  const [before] = useState(() => ({ cpi: seen('cpi'), pce: seen('pce'), ppi: seen('ppi') }));
  const [gone, setGone] = useState<Partial<Record<Indicator, string>>>({});
  const latest = data?.latest;
  const today = new Date(now).toISOString().slice(0, 10);
  const news =
    latest && newsToday(latest, data.expectations ?? latest.expectations, today, (type) => gone[type] ?? before[type]);
  if (!news) return null;
  const { type, date } = news;
  return <Shown key={`${type} ${date}`} news={news} onGone={() => setGone({ ...gone, [type]: date })} />;
}

const TONE = { bullish: 'text-up', bearish: 'text-down', neutral: 'text-ink-2' } as const;

function Shown({ news, onGone }: { news: News; onGone: () => void }) {
  const { type, date } = news;
  const [leaving, setLeaving] = useState(false);
  useEffect(() => remember(type, date), [type, date]);
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const frames = leaving ? [1, 0] : [0, 1];
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    body.current
      ?.closest('dialog')
      ?.animate?.({ opacity: frames }, { duration: still ? 0 : FADE_MS, fill: 'forwards' });
  }, [leaving]);
  useEffect(() => {
    const timer = setTimeout(() => setLeaving(true), OPEN_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (!leaving) return undefined;
    const timer = setTimeout(onGone, FADE_MS);
    return () => clearTimeout(timer);
  }, [leaving, onGone]);
  const { short, long } = NAMES[type];
  const mood = releaseMood(news);
  return (
    <Modal title={`${short} Data Released`} onClose={() => setLeaving(true)}>
      <div ref={body}>
        <p className="text-sm text-ink-2">
          {long}
          {news.period && `, ${monthName(news.period)}`}
        </p>
        <dl className="num mt-3 grid grid-cols-3 gap-3">
          <Number name="Month" value={news.mom} text={(value) => percent(value, 1)} />
          <Number name="Core month" value={news.core} text={(value) => percent(value, 1)} />
          <Number name="Year" value={news.yoy} text={(value) => rate(value)} />
        </dl>
        <p className="mt-3 text-sm text-ink-2">
          {news.consensus === null ? (
            'No consensus available.'
          ) : (
            <>
              Consensus {percent(news.consensus, 1)}
              {news.surprise !== null && (
                <b className={cx('ml-2 font-semibold', surpriseTone(news.surprise))}>{points(news.surprise)}</b>
              )}
            </>
          )}
        </p>
        <p className="mt-1 text-sm">
          For markets: <b className={cx('font-semibold', TONE[mood])}>{titled(mood)}</b>
        </p>
      </div>
    </Modal>
  );
}

function Number({ name, value, text }: { name: string; value: number | null; text: (value: number) => string }) {
  return (
    <div>
      <dt className="label">{name}</dt>
      <dd className="text-xl font-semibold">{value === null ? '–' : text(value)}</dd>
    </div>
  );
}
