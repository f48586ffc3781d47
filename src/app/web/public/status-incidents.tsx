import {
  COMPONENT_NAMES,
  type Incident,
  type Status,
  type StatusComponent,
  type StatusDay,
} from '#features/site/contract/status.ts';
import {
  IMPACT_WORDS,
  isPlanned,
  lengthWords,
  percentWords,
  progressWords,
  STAGE_WORDS,
} from '#features/site/web/status/labels.ts';

type State = Status['state'];

/** Color and height of a state: both encode it. */
const TONES: Record<State, { dot: string; bar: string; height: number }> = {
  operational: { dot: 'bg-up', bar: 'fill-up', height: 32 },
  degraded: { dot: 'bg-warn', bar: 'fill-warn', height: 24 },
  down: { dot: 'bg-down', bar: 'fill-down', height: 16 },
  maintenance: { dot: 'bg-accent', bar: 'fill-accent', height: 24 },
  no_data: { dot: 'bg-line-strong', bar: 'fill-line-strong', height: 4 },
};
export const stateTone = (state: State) => TONES[state];

const BELOW = 99;

function dayState({ percent }: StatusDay): State {
  if (percent === null) return 'no_data';
  if (percent >= 100) return 'operational';
  return percent >= BELOW ? 'degraded' : 'down';
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** '21 Nov 2026', of a time or a day. */
export const day = (iso: string): string =>
  `${Number(iso.slice(8, 10))} ${MONTHS[Number(iso.slice(5, 7)) - 1]} ${iso.slice(0, 4)}`;

function dayWords({ percent, measured, degraded, down }: StatusDay): string {
  if (percent === null) return 'not measured';
  const lapses = [down && `${lengthWords(down)} down`, degraded && `${lengthWords(degraded)} degraded`].filter(Boolean);
  const of = measured < 1440 ? `, of ${lengthWords(measured)}` : '';
  return [percentWords(percent) + of, ...lapses].join(', ');
}

const STEP = 10;
const FULL = 32;

/** One bar per day. */
export function StatusStrip({ component: { name, days } }: { component: StatusComponent }) {
  const measured = days.filter(({ percent }) => percent !== null);
  const well = measured.filter(({ percent }) => percent === 100).length;
  return (
    <>
      <svg
        viewBox={`0 0 ${days.length * STEP} ${FULL}`}
        preserveAspectRatio="none"
        className="mt-4 h-8 w-full"
        role="img"
        aria-label={`${name}: ${measured.length} of ${days.length} days measured, ${well} of them without an interruption`}
      >
        {days.map((each, n) => {
          const { bar, height } = stateTone(dayState(each));
          return (
            <rect
              key={each.day}
              x={n * STEP + 1}
              y={FULL - height}
              width={STEP - 3}
              height={height}
              rx="1"
              className={bar}
            >
              <title>{`${day(each.day)}: ${dayWords(each)}`}</title>
            </rect>
          );
        })}
      </svg>
      <div className="label mt-1 flex justify-between" aria-hidden="true">
        <span>{day(days[0]?.day ?? '')}</span>
        <span>Today</span>
      </div>
    </>
  );
}

/** The content of the bars, as text. */
export function StatusDays({ component: { id, days } }: { component: StatusComponent }) {
  const measured = days.filter(({ percent }) => percent !== null);
  if (measured.length === 0) return null;
  return (
    <details className="mt-1 text-sm">
      <summary className="label py-2 hover:text-ink">Day by day</summary>
      <div
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keys
        tabIndex={0}
        className="max-h-60 overflow-y-auto"
        role="group"
        aria-labelledby={`component-${id}`}
      >
        <table className="num w-full text-left">
          <thead className="sr-only">
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Uptime</th>
            </tr>
          </thead>
          <tbody>
            {measured.toReversed().map((each) => (
              <tr key={each.day} className="border-t border-line">
                <th scope="row" className="py-1 font-medium">
                  {day(each.day)}
                </th>
                <td className="py-1 text-right text-ink-2">{dayWords(each)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

const QUIET_DAYS = 14;
const clock = (iso: string) => `${iso.slice(11, 16)} UTC`;

/** '20 Nov 2026, 12:00 to 12:40 UTC, 40 min', with the second day where it differs. */
function whenWords({ startsAt, endsAt }: Incident): string {
  if (endsAt === null) return `Since ${day(startsAt)}, ${clock(startsAt)}`;
  const until = endsAt.slice(0, 10) === startsAt.slice(0, 10) ? clock(endsAt) : `${day(endsAt)}, ${clock(endsAt)}`;
  const minutes = (Date.parse(endsAt) - Date.parse(startsAt)) / 60_000;
  return `${day(startsAt)}, ${clock(startsAt)} to ${until} (${lengthWords(minutes)})`;
}

type Props = { incident: Incident; level: 'h3' | 'h4'; now: number };

export function StatusIncident({ incident, level: Heading, now }: Props) {
  const { id, kind, title, impact, components, updates } = incident;
  return (
    <article id={`incident-${id}`} aria-labelledby={`incident-${id}-title`}>
      <Heading id={`incident-${id}-title`} className="font-semibold break-words">
        {title}
      </Heading>
      <p className="num mt-1 text-sm text-ink-3">
        {[
          progressWords(incident, now),
          kind === 'measured' ? 'Measured' : null,
          IMPACT_WORDS[impact],
          whenWords(incident),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {components.length > 0 && (
        <p className="mt-1 text-sm text-ink-3">Affects {components.map((each) => COMPONENT_NAMES[each]).join(', ')}</p>
      )}
      {updates.length > 0 && (
        <ol className="mt-3 grid gap-3 border-t border-line pt-3">
          {updates.map(({ at, stage, message }) => (
            <li key={`${at}${stage}${message}`} className="text-sm">
              <p className="num text-ink-3">
                <b className="font-semibold text-ink">{STAGE_WORDS[stage]}</b>, {day(at)}, {clock(at)}
              </p>
              <p className="mt-1 break-words whitespace-pre-line text-ink-2">{message}</p>
            </li>
          ))}
        </ol>
      )}
    </article>
  );
}

type HistoryProps = { incidents: readonly Incident[]; measured: readonly string[]; asOf: string };

/** By day: every measured day of the last two weeks, before that only days with incidents. */
export function StatusHistory({ incidents, measured, asOf }: HistoryProps) {
  const now = Date.parse(asOf);
  const past = incidents.filter((incident) => !isPlanned(incident, now));
  const byDay = Map.groupBy(past, ({ startsAt }) => startsAt.slice(0, 10));
  const days = [...new Set([...measured.slice(-QUIET_DAYS), ...byDay.keys()])].toSorted().toReversed();
  return (
    <section aria-labelledby="history" className="mt-12">
      <div className="flex flex-wrap items-baseline justify-between gap-4">
        <h2 id="history" className="text-xl font-semibold tracking-[-0.02em]">
          Incidents
        </h2>
        <a href="/status.atom" className="text-sm text-ink-2 hover:text-ink">
          Atom feed
        </a>
      </div>
      <ul className="mt-5">
        {days.length === 0 && <li className="border-t border-line py-4 text-sm text-ink-3">No days measured yet</li>}
        {days.map((each) => (
          <li key={each} className="grid grid-cols-1 gap-2 border-t border-line py-4 md:grid-cols-[1fr_2fr]">
            <h3 className="num text-sm font-medium text-ink-2">{day(each)}</h3>
            <div className="grid gap-6">
              {(byDay.get(each) ?? []).map((incident) => (
                <StatusIncident key={incident.id} incident={incident} level="h4" now={now} />
              ))}
              {!byDay.has(each) && <p className="text-sm text-ink-3">No incidents</p>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
