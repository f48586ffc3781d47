import type { LandingModel } from '#app/render.ts';
import { tookWords } from '#features/notifications/web/notifications/labels.ts';
import { BRAND } from '#shared/brand.ts';
import { atLeast, uptimeText } from '#shared/coverage.ts';
import { compact, grouped } from '#shared/format.ts';
import { cx } from '#ui/cx.ts';
import { thin } from '#ui/spark.tsx';
import { AlertSection } from './alert-section.tsx';
import { CalendarSection } from './calendar-section.tsx';
import { DataSection } from './data-section.tsx';
import { HeroPrices } from './hero-prices.tsx';
import { GHOST, PRIMARY, PublicPage, WIDTH } from './page.tsx';
import { PricesSection } from './prices-section.tsx';
import { PricingBlock } from './pricing.tsx';
import { ProvenanceSection } from './provenance-section.tsx';
import { RecordSection } from './record-section.tsx';
import { hasStrip, RecordStrip } from './record-strip.tsx';
import { APART } from './section.tsx';

type Stat = { figure: string; words: string };
const PLACES = 4;
/** Below this, the estimate would only show that counting has just started. */
const MIN_OBSERVATIONS = 1000;

/** The coverage of the instance, and below it its results. */
function Stats({ model }: { model: LandingModel }) {
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
  const stats = [
    observations >= MIN_OBSERVATIONS && { figure: compact(observations, 1), words: 'observations stored (approx.)' },
    record.graded > 0 && { figure: grouped(record.graded), words: 'predictions graded' },
    deliveryStat(latency),
    events.ahead > 0 && { figure: grouped(events.ahead), words: 'upcoming events' },
    outlook && { figure: grouped(outlook.opinions.length), words: 'analysts forecasting side by side' },
  ];
  return stats.filter((stat): stat is Stat => Boolean(stat)).slice(0, PLACES);
}

/** Deliveries of all channels, with the median of the one that had most. */
function deliveryStat(latency: LandingModel['latency']): Stat | null {
  const sent = (latency?.channels ?? []).filter(({ channel }) => channel !== 'in-app');
  const [most] = sent.toSorted((a, b) => b.n - a.n);
  if (!most?.n || most.p50Ms === null) return null;
  const all = sent.reduce((sum, { n }) => sum + n, 0);
  return {
    figure: grouped(all),
    words: `alerts delivered in 30 days, median ${most.channel} hand-off ${tookWords(most.p50Ms)}`,
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

const BARS = 132;
const FLOOR = 0.1;

type Step = { at: number; up: boolean; height: number };

/** Each bar is the change since the previous point; its height is relative to the largest change of the week. */
function steps(points: readonly number[]): Step[] {
  const shown = thin(points, BARS + 1);
  const moves = shown.slice(1).map((v, i) => v / (shown[i] || v) - 1);
  const largest = Math.max(...moves.map(Math.abs), Number.EPSILON);
  // A square root keeps quiet hours visible next to one large move.
  return moves.map((move, at) => ({ at, up: move >= 0, height: Math.max(FLOOR, Math.sqrt(Math.abs(move) / largest)) }));
}

/** The week as a row of bars, one per step between two prices. */
function WeekStrip({ name, points }: { name: string; points: readonly number[] }) {
  const bars = steps(points);
  if (bars.length < 24) return null;
  const rises = bars.filter(({ up }) => up).length;
  return (
    <figure className="mt-12 sm:mt-16">
      <div className="flex h-20 items-end gap-[2px] sm:h-28 sm:gap-[3px]" aria-hidden="true">
        {bars.map(({ at, up, height }) => (
          <span
            key={at}
            className={cx(
              'flex-1 rounded-[2px]',
              at < bars.length / 2 && 'hidden sm:block',
              up ? 'bg-ink/75' : 'bg-down',
            )}
            style={{ height: `${Math.round(height * 100)}%` }}
          />
        ))}
      </div>
      <figcaption className="num mt-3 flex flex-wrap justify-between gap-x-6 gap-y-1 text-sm text-ink-3">
        <span>
          <b className="font-semibold text-ink">{name}, seven days</b>, one bar per step, taller for larger moves
          <span className="sr-only">
            : {rises} of {bars.length} steps up
          </span>
        </span>
        <span className="flex gap-4">
          <span className="flex items-center gap-1.5">
            <span className="h-3 w-1 rounded-[1px] bg-ink/75" aria-hidden="true" />
            Rose
          </span>
          <span className="flex items-center gap-1.5">
            <span className="h-3 w-1 rounded-[1px] bg-down" aria-hidden="true" />
            Fell
          </span>
        </span>
      </figcaption>
    </figure>
  );
}

export function Landing({ model }: { model: LandingModel }) {
  return (
    <PublicPage model={model}>
      <section className={cx(WIDTH, 'pt-12 sm:pt-20')}>
        <div className="grid grid-cols-1 items-end gap-x-12 gap-y-7 lg:grid-cols-[1.35fr_1fr]">
          <h1 className="text-[44px] leading-[1.02] font-semibold tracking-[-0.045em] text-balance sm:text-[72px]">
            {BRAND.claim}
          </h1>
          <div>
            <p className="max-w-[30rem] text-[17px] leading-7 text-ink-2">
              Crypto prices, flows, inflation and calls from several analysts on one page. Every number shows its source
              and age; every call is dated, published and graded against what the market did next.
            </p>
            <div className="mt-6 flex flex-wrap gap-3">
              <a href="/app" className={PRIMARY}>
                Get Started
              </a>
              <a href="/about" className={GHOST}>
                About
              </a>
            </div>
          </div>
        </div>
        <HeroStrip model={model} />
        <div className="card mt-10 overflow-hidden rounded-[16px] pb-1 lifted sm:mt-14">
          <HeroPrices model={model} />
        </div>
      </section>
      <Stats model={model} />
      <PricesSection model={model} />
      <RecordSection model={model} />
      <AlertSection model={model} />
      <CalendarSection model={model} />
      <DataSection model={model} />
      <ProvenanceSection model={model} />
      <PricingBlock pricing={model.pricing} />
      <section className={cx(WIDTH, APART)}>
        <div className="flex flex-wrap items-center justify-between gap-8 border-t border-line pt-12 pb-16">
          <h2 className="max-w-[18ch] text-[32px] leading-[1.1] font-semibold tracking-[-0.035em] text-balance sm:text-[44px]">
            Open the market. Check every number.
          </h2>
          <div className="flex flex-wrap gap-3">
            <a href="/app" className={PRIMARY}>
              Launch App
            </a>
            <a href="/app/subscription" className={GHOST}>
              View Plans
            </a>
          </div>
        </div>
      </section>
    </PublicPage>
  );
}

/** The record if there is one, else the week of the first coin. */
function HeroStrip({ model }: { model: LandingModel }) {
  const { record } = model.facts;
  if (hasStrip(record)) return <RecordStrip record={record} isDemo={model.dataMode === 'demo'} />;
  const [first] = model.top;
  const week = first && model.sparklines[first.id];
  return first && week ? <WeekStrip name={first.name} points={week.points} /> : null;
}
