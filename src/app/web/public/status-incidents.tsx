import { COMPONENT_NAMES, type Incident } from '#features/site/contract/status.ts';
import { IMPACT_WORDS, isPlanned, lengthWords, progressWords, STAGE_WORDS } from '#features/site/web/status/words.ts';

import { day } from './status-strip.tsx';

const QUIET_DAYS = 14;
const clock = (iso: string) => `${iso.slice(11, 16)} UTC`;

/** '20 Nov 2026, 12:00 to 12:40 UTC, 40 min', with the second day where it is another one. */
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

/** By day: of the last two weeks those that were measured, before that what happened. */
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
