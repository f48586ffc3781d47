import { tookWords } from '#features/notifications/web/words.ts';
import { atLeast, uptimeText } from '#shared/coverage.ts';
import { compact } from '#shared/format.ts';
import type { LandingModel } from '#shared/render.ts';
import { cx } from '#web/ui/cx.ts';

import { WIDTH } from './page.tsx';
import { many } from './words.ts';

type Stat = { figure: string; words: string };
const PLACES = 4;
/** A smaller estimate would only say that counting has just begun. */
const LEAST_OBSERVATIONS = 1000;

/** What the instance covers, and below it what it has done. */
export function Stats({ model }: { model: LandingModel }) {
  const { counts, uptime } = model.about;
  const covers = [
    { figure: atLeast(counts.coins), words: 'cryptocurrencies' },
    { figure: atLeast(counts.sources), words: 'data sources' },
    { figure: '24/7', words: 'collection' },
    uptimeText(uptime),
  ];
  return (
    <section aria-label="Coverage" className={cx(WIDTH, 'mt-16 sm:mt-20')}>
      <Strip stats={covers} className="border-t" />
      <Strip stats={doneBy(model)} className="border-y" />
    </section>
  );
}

function doneBy({ facts, latency }: LandingModel): Stat[] {
  const { observations, record, events, outlook } = facts;
  const said = [
    observations >= LEAST_OBSERVATIONS && { figure: compact(observations, 1), words: 'observations kept, about' },
    record.graded > 0 && { figure: many(record.graded), words: 'predictions graded' },
    deliveredOf(latency),
    events.ahead > 0 && { figure: many(events.ahead), words: 'events on the calendar ahead' },
    outlook && { figure: many(outlook.opinions.length), words: 'analysts asked the same at one moment' },
  ];
  return said.filter((stat): stat is Stat => Boolean(stat)).slice(0, PLACES);
}

/** Deliveries of every channel, with the median of the one that had most of them. */
function deliveredOf(latency: LandingModel['latency']): Stat | null {
  const sent = (latency?.channels ?? []).filter(({ channel }) => channel !== 'in-app');
  const [most] = sent.toSorted((a, b) => b.n - a.n);
  if (!most?.n || most.p50Ms === null) return null;
  const all = sent.reduce((sum, { n }) => sum + n, 0);
  return {
    figure: many(all),
    words: `alerts delivered in 30 days, half of ${most.channel} within ${tookWords(most.p50Ms)}`,
  };
}

function Strip({ stats, className }: { stats: readonly Stat[]; className: string }) {
  if (stats.length === 0) return null;
  return (
    <dl className={cx('grid grid-cols-2 border-line lg:grid-cols-4', className)}>
      {stats.map(({ figure, words }, i) => (
        <div
          key={words}
          className={cx(
            'flex flex-col-reverse justify-end py-6 pr-4 sm:px-6',
            i > 0 && 'lg:border-l lg:border-line',
            i === 0 && 'sm:pl-0',
          )}
        >
          <dt className="text-[15px] text-ink-3">{words}</dt>
          <dd className="num text-[34px] leading-10 font-semibold tracking-[-0.04em]">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
