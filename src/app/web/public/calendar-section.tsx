import type { LandingModel } from '#app/render.ts';
import { calendarLeaf, dayWords, relativeLabel } from '#features/events/web/event-dates.ts';
import { Impact } from '#features/events/web/impact.tsx';
import { monthName } from '#features/inflation/web/labels.ts';
import type { LandingFacts } from '#features/site/contract/landing.ts';
import { percent } from '#shared/format.ts';
import { cx } from '#ui/cx.ts';

import { WIDTH } from './page.tsx';
import { APART, dayText, FigureHead, More, SectionHead, Waiting } from './section.tsx';

export function CalendarSection({ model: { facts } }: { model: LandingModel }) {
  const { events, cpi } = facts;
  return (
    <section aria-labelledby="calendar" className={cx(WIDTH, APART)}>
      <SectionHead id="calendar" title="What’s next, and what the market expects." isWide>
        <p>
          One calendar of central banks, inflation, jobs, regulation and expiries. Every release next to its consensus,
          nowcast and later revisions.
        </p>
        <More href="/app/events">Open the calendar</More>
      </SectionHead>
      <div className="mt-12 grid gap-x-12 gap-y-12 lg:grid-cols-[1fr_1.35fr]">
        {events.next.length > 0 ? <Next events={events} /> : <Waiting>No upcoming events loaded yet.</Waiting>}
        {cpi ? <Cpi cpi={cpi} /> : <Waiting>No CPI release loaded yet.</Waiting>}
      </div>
    </section>
  );
}

const inWords = (label: string): string => (/^\d/.test(label) ? `in ${label}` : label.toLowerCase());

function Next({ events: { next, ahead } }: { events: LandingFacts['events'] }) {
  return (
    <figure>
      <FigureHead title="Next" note={`${ahead} ahead`} />
      <ol className="mt-3">
        {next.map((event) => {
          const day = event.date.slice(0, 10);
          const { month, day: leaf } = calendarLeaf(day);
          return (
            <li key={event.id} className="flex gap-4 border-t border-line py-3.5">
              <span className="num w-9 shrink-0 text-center leading-4">
                <span className="label block">{month}</span>
                <b className="block text-lg font-semibold">{leaf}</b>
              </span>
              <span className="min-w-0 flex-1">
                <span className="block text-[15px] font-medium">{event.title ?? 'Untitled Event'}</span>
                <span className="label num">
                  {inWords(relativeLabel(event))}
                  <span className="sr-only">, {dayWords(day)}</span>
                  {event.source && ` · ${event.source}`}
                  {event.dateEstimated && ' · estimated date'}
                </span>
              </span>
              <Impact level={event.impact} />
            </li>
          );
        })}
      </ol>
    </figure>
  );
}

type Cpi = NonNullable<LandingFacts['cpi']>;
const FIGURES = [
  ['actual', 'Actual'],
  ['consensus', 'Consensus'],
  ['nowcast', 'Nowcast'],
] as const;
const shown = (value: number | null): string =>
  value === null ? '–' : percent(value, value === Number(value.toFixed(1)) ? 1 : 2);

/** The release compared with expectations, and the two years before. */
function Cpi({ cpi }: { cpi: Cpi }) {
  const { headline, period, releasedOn, months, note } = cpi;
  const reasons = FIGURES.flatMap(([key, name]) => {
    const why = headline.meta[key];
    return headline[key] === null && why && 'reason' in why ? [`${name}: ${why.reason}.`] : [];
  });
  const isDemo = FIGURES.some(([key]) => (headline.meta[key] as { method?: string } | undefined)?.method === 'demo');
  return (
    <figure>
      <FigureHead
        title={`US consumer prices, ${monthName(period)}`}
        note={`released ${dayText(`${releasedOn}T00:00:00Z`)}${isDemo ? ' (demo)' : ''}`}
      />
      <dl className="num mt-3 flex flex-wrap gap-x-12 border-t border-line pt-4">
        {FIGURES.map(([key, name]) => (
          <div key={key} className="flex flex-col-reverse">
            <dt className="text-[15px] text-ink-3">{name}</dt>
            <dd
              className={cx(
                'text-[34px] leading-10 font-semibold tracking-[-0.04em]',
                key !== 'actual' && 'text-ink-3',
              )}
            >
              {shown(headline[key])}
            </dd>
          </div>
        ))}
      </dl>
      <Months months={months} expected={headline.consensus ?? headline.nowcast} />
      <figcaption className="label mt-3">
        Month over month, seasonally adjusted. Dashed: the {headline.consensus === null ? 'nowcast' : 'consensus'} for
        the latest release. {reasons.join(' ')} {note}
      </figcaption>
    </figure>
  );
}

const STEP = 20;
const BAR = 13;
const HEIGHT = 96;

/**
 * Two years of months as bars; the latest is solid, and the dashed line on it is the expectation. A missing month stays
 * empty.
 */
function Months({ months, expected }: { months: Cpi['months']; expected: number | null }) {
  const values = months.flatMap(({ mom }) => (mom === null ? [] : [mom]));
  if (values.length < 2) return null;
  const top = Math.max(0, expected ?? 0, ...values);
  const bottom = Math.min(0, ...values);
  const y = (value: number) => (4 + ((top - value) / (top - bottom || 1)) * (HEIGHT - 8)).toFixed(1);
  const last = months.length - 1;
  const first = months[0];
  const missing = months.filter(({ mom }) => mom === null).map(({ period }) => monthName(period));
  return (
    <svg
      viewBox={`0 0 ${months.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Monthly change from ${monthName(first?.period ?? '')}: ${Math.min(...values)}% to ${Math.max(...values)}%${missing.length > 0 ? `; not published: ${missing.join(', ')}` : ''}`}
      className="mt-6 block h-28 w-full"
    >
      <path d={`M0 ${y(0)}H${months.length * STEP}`} stroke="var(--line-strong)" vectorEffect="non-scaling-stroke" />
      {months.map(({ period, mom }, i) =>
        mom === null ? null : (
          <path
            key={period}
            d={`M${i * STEP} ${y(0)}V${y(mom)}h${BAR}V${y(0)}z`}
            fill={i === last ? 'var(--ink)' : 'var(--line-strong)'}
          />
        ),
      )}
      {expected !== null && (
        <path
          d={`M${(last - 2) * STEP} ${y(expected)}H${months.length * STEP}`}
          stroke="var(--accent)"
          strokeWidth="2"
          strokeDasharray="4 3"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  );
}
