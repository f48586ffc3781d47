import type { StatusModel } from '#app/render.ts';
import type { Incident, Status, StatusComponent } from '#features/site/contract/status.ts';
import { isPlanned, STATE_WORDS, uptimeWords } from '#features/site/web/status/labels.ts';
import { BRAND } from '#shared/brand.ts';
import { cx } from '#ui/cx.ts';

import { PublicPage, WIDTH } from './page.tsx';
import { day, StatusDays, StatusHistory, StatusIncident, StatusStrip, stateTone } from './status-incidents.tsx';

const minute = (iso: string) => `${day(iso)}, ${iso.slice(11, 16)} UTC`;
const H2 = 'text-xl font-semibold tracking-[-0.02em]';

/** Server-rendered; a small script shows its age and reloads it. */
export function PublicStatus({ model }: { model: StatusModel }) {
  const { status } = model;
  const now = Date.parse(status.asOf);
  const isOpen = ({ startsAt, endsAt }: Incident) =>
    Date.parse(startsAt) <= now && (endsAt === null || Date.parse(endsAt) > now);
  const open = status.incidents.filter(isOpen);
  const planned = status.incidents.filter((incident) => isPlanned(incident, now));
  return (
    <PublicPage model={model}>
      <div className={cx(WIDTH, 'pt-12 pb-16 sm:pt-20')}>
        <Head status={status} />
        {open.length > 0 && <Incidents id="now" title="Happening now" incidents={open} now={now} />}
        {planned.length > 0 && <Incidents id="planned" title="Planned maintenance" incidents={planned} now={now} />}
        <section aria-labelledby="components" className="mt-12">
          <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
            <h2 id="components" className={H2}>
              Last {status.windowDays} days
            </h2>
            <Legend />
          </div>
          <ul className="card mt-5">
            {status.components.map((component) => (
              <Component key={component.id} component={component} />
            ))}
          </ul>
        </section>
        <StatusHistory incidents={status.incidents} measured={measuredDays(status)} asOf={status.asOf} />
        <Method status={status} />
      </div>
    </PublicPage>
  );
}

const measuredDays = ({ components }: Status): string[] =>
  (components[0]?.days ?? []).flatMap(({ day, measured }) => (measured > 0 ? [day] : []));

function Head({ status: { state, headline, asOf, measuredTo, unreadSince } }: { status: Status }) {
  const renderedAt = Date.parse(asOf);
  return (
    <header>
      <p className="label">{BRAND.name} status</p>
      <h1 className="mt-3 flex items-start gap-4 text-3xl font-semibold tracking-[-0.03em] text-balance sm:text-[44px] sm:leading-[1.1]">
        <span
          className={cx('mt-3 size-3 shrink-0 rounded-full sm:mt-4 sm:size-4', stateTone(state).dot)}
          aria-hidden="true"
        />
        {headline}
      </h1>
      <p className="num mt-4 text-sm text-ink-3">
        {measuredTo ? `Measured to ${minute(measuredTo)}. ` : 'Nothing measured yet. '}
        <span className="max-sm:block">
          Generated {asOf.slice(11, 19)} UTC
          <span data-drawn={renderedAt}>.</span>
        </span>
      </p>
      {unreadSince && (
        <p className="mt-4 rounded-ctl border border-warn/40 bg-warn/10 px-4 py-3 text-sm text-ink">
          The database has been unreachable since {minute(unreadSince)}. Days and incidents are shown as of that time.
        </p>
      )}
    </header>
  );
}

type IncidentsProps = { id: string; title: string; incidents: readonly Incident[]; now: number };

function Incidents({ id, title, incidents, now }: IncidentsProps) {
  return (
    <section aria-labelledby={id} className="mt-12">
      <h2 id={id} className={H2}>
        {title}
      </h2>
      <ul className="mt-5 grid gap-4">
        {incidents.map((incident) => (
          <li key={incident.id} className="card p-5">
            <StatusIncident incident={incident} now={now} level="h3" />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Component({ component }: { component: StatusComponent }) {
  const { id, name, state, note, facts } = component;
  return (
    <li className="border-t border-line px-5 py-5 first:border-t-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 id={`component-${id}`} className="text-lg font-semibold tracking-[-0.01em]">
          {name}
        </h3>
        <p className="flex items-center gap-2 text-sm font-medium">
          <span className={cx('size-3 rounded-full', stateTone(state).dot)} aria-hidden="true" />
          {STATE_WORDS[state]}
        </p>
      </div>
      {note && <p className="mt-1 text-sm text-ink-2">{note}</p>}
      <StatusStrip component={component} />
      <p className="num mt-2 text-sm text-ink-2">{uptimeWords(component, day(component.uptime.from ?? ''))}</p>
      {facts.map((fact) => (
        <p key={fact} className="num mt-1 text-sm text-ink-3">
          {fact}
        </p>
      ))}
      <StatusDays component={component} />
    </li>
  );
}

const LEGEND = [
  ['operational', 'All minutes operational'],
  ['degraded', 'Some degraded'],
  ['down', 'Below 99%'],
  ['no_data', 'Not measured'],
] as const;

function Legend() {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-3">
      {LEGEND.map(([state, words]) => (
        <li key={state} className="flex items-center gap-2">
          <span className={cx('size-3 rounded-[2px]', stateTone(state).dot)} aria-hidden="true" />
          {words}
        </li>
      ))}
    </ul>
  );
}

const WHAT = [
  ['Website and API', 'Operational when a process that serves pages reported in that minute.'],
  [
    'Live prices',
    'Operational when each of the five tracked coins had a price no older than five minutes or two fast collection intervals.',
  ],
  [
    'Full collection',
    'Operational when the latest full collection, including its analysis, was no older than the longest scheduled interval plus twenty minutes.',
  ],
  [
    'Slow series',
    'Operational when at least half of the queried sources answered within an hour plus two slow collection intervals.',
  ],
  [
    'Alerts and notifications',
    'Operational when a delivery process reported and no delivery had been waiting for more than ten minutes.',
  ],
  ['Database', 'Operational when any process could write to it.'],
] as const;

function Method({ status: { windowDays, components } }: { status: Status }) {
  return (
    <section aria-labelledby="measured" className="mt-12 border-t border-line pt-8">
      <h2 id="measured" className={H2}>
        How this is measured
      </h2>
      <div className="prose mt-3">
        <p>
          Every process writes a heartbeat each minute, and every observation, collection and delivery is stored with
          its time. Each minute is then rated from these records. Uptime is the share of fully operational minutes:
          degraded minutes and maintenance count against it, and percentages are rounded down. The target of{' '}
          {components[0]?.uptime.targetPercent}% is a target, not a measurement. Days before the first heartbeat are not
          measured and stay gray; the window covers up to {windowDays} days.
        </p>
        <dl>
          {WHAT.map(([name, words]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
        <p>
          Incidents marked “measured” were detected automatically: two minutes without a serving process, or ten minutes
          with a component below operational. All others are written by the operators and never changed afterwards. As
          data: <a href="/api/status">JSON</a>, <a href="/status.atom">Atom feed</a>.
        </p>
      </div>
    </section>
  );
}
