import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import { percent } from '#shared/format.ts';
import { cx } from '#web/ui/cx.ts';
import { Modal } from '#web/ui/modal.tsx';
import { useNow } from '#web/ui/now.ts';

import type { Indicator } from '../contract.ts';
import { inflationQuery } from './queries.ts';
import { moodOfRelease, type News, newsToday } from './release.ts';
import { monthOf, NAMES, points, rate, surpriseTone, titled } from './words.ts';

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

/** Tells of a price index on the day it comes out, once. */
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
  const mood = moodOfRelease(news);
  return (
    <Modal title={`${short} Data Released`} onClose={() => setLeaving(true)}>
      <div ref={body}>
        <p className="text-sm text-ink-2">
          {long}
          {news.period && `, ${monthOf(news.period)}`}
        </p>
        <dl className="num mt-3 grid grid-cols-3 gap-3">
          <Number name="Month" value={news.mom} text={(value) => percent(value, 1)} />
          <Number name="Core month" value={news.core} text={(value) => percent(value, 1)} />
          <Number name="Year" value={news.yoy} text={(value) => rate(value)} />
        </dl>
        <p className="mt-3 text-sm text-ink-2">
          {news.consensus === null ? (
            'No consensus is known for it.'
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
