import { ArrowRight } from 'lucide-react';
import type { UpcomingCounts, UpcomingEvent } from '#features/events/contract.ts';
import { useAddressChoice } from '#ui/address-filter.ts';
import { Card } from '#ui/card.tsx';
import type { CardPlace } from '#ui/card-frame.tsx';
import { Link } from '#ui/link.tsx';
import { useNow } from '#ui/now.ts';
import { type Query, QueryView } from '#ui/query-view.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { Empty } from '#ui/states.tsx';
import { calendarLeaf, dayKey, easternTime, isPast, relativeLabel, timeWords } from './event-dates.ts';
import { CATEGORY_WORDS, eventSource, eventTitle, Impact } from './impact.tsx';

/** A row of the card: date, title, time and impact. */
function UpcomingRow({ event }: { event: UpcomingEvent }) {
  const { month, day } = calendarLeaf(dayKey(event));
  const eastern = easternTime(event);
  const time = event.allDay ? 'All day' : timeWords(event.date);
  return (
    <li className="flex items-center gap-3.5 border-t border-line px-4 py-2">
      <time dateTime={event.date} className="w-9 shrink-0 text-center leading-none">
        <span className="block text-[10px] font-semibold text-ink-3 uppercase">{month}</span>
        <span className="num block text-lg font-semibold">{day}</span>
      </time>
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2 text-sm font-medium" title={eventTitle(event)}>
          {eventTitle(event)}
        </p>
        <p className="num truncate text-2xs text-ink-3">
          {event.dateEstimated ? 'Estimated date' : time}
          {eastern && `, ${eastern} Eastern Time`} · {CATEGORY_WORDS[event.category]} · {eventSource(event)}
        </p>
      </div>
      <div className="flex shrink-0 flex-col items-end gap-0.5">
        <span className="num text-xs font-medium">{relativeLabel(event)}</span>
        <Impact level={event.impact} />
      </div>
    </li>
  );
}

const MAX_ROWS = 10;
const MINUTE_MS = 60_000;
const IMPACTS = ['All', 'High', 'Medium'] as const;
type Choice = (typeof IMPACTS)[number];

const byDate = (a: UpcomingEvent, b: UpcomingEvent) => Date.parse(a.date) - Date.parse(b.date);
const EMPTY = 'No upcoming events available';

export type UpcomingCardProps = CardPlace & {
  /** Null when nothing is known for that moment. */
  query: Query<UpcomingEvent[] | null | undefined>;
  /** Number of upcoming events per impact: the payload only has the next ones. */
  counts: UpcomingCounts | undefined;
  /** A past moment is shown. */
  past: boolean;
};

export function UpcomingCard({ query, counts, past, ...card }: UpcomingCardProps) {
  const now = useNow(MINUTE_MS);
  const ahead = query.data && query.data.filter((event) => !isPast(event, now)).toSorted(byDate);
  const beyond = (choice: Choice) => known(choice, counts) - (query.data?.filter(fits(choice)).length ?? 0);
  return (
    <QueryView
      query={{ ...query, data: ahead }}
      card={card}
      failed="Failed to load events"
      isEmpty={(events) => !events || events.length === 0}
      empty={
        <Empty
          title={EMPTY}
          note={past ? 'No calendar is stored for that time.' : 'Data collection is in progress...'}
        />
      }
    >
      {(events) => events && <Loaded card={card} events={events} beyond={beyond} />}
    </QueryView>
  );
}

const fits = (choice: Choice) => (event: UpcomingEvent) => choice === 'All' || event.impact === choice.toLowerCase();

function known(choice: Choice, counts: UpcomingCounts = {}): number {
  if (choice !== 'All') return counts[choice.toLowerCase()] ?? 0;
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

type LoadedProps = {
  card: CardPlace;
  events: readonly UpcomingEvent[];
  /** Number of matches missing from the payload. */
  beyond: (choice: Choice) => number;
};

function Loaded({ card, events, beyond }: LoadedProps) {
  const [impact, choose] = useAddressChoice('impact', IMPACTS);
  const chosen = events.filter(fits(impact));
  const more = chosen.length + Math.max(0, beyond(impact)) - MAX_ROWS;
  const to = impact === 'All' ? '/app/events' : `/app/events?impact=${impact.toLowerCase()}`;
  return (
    <Card {...card} action={<Segmented label="Impact" value={impact} options={IMPACTS} onChange={choose} />}>
      {chosen.length === 0 ? (
        <Empty title={EMPTY} note={`No ${impact.toLowerCase()}-impact events scheduled.`} />
      ) : (
        <ol>
          {chosen.slice(0, MAX_ROWS).map((event) => (
            <UpcomingRow key={event.id} event={event} />
          ))}
        </ol>
      )}
      <p className="num mt-auto flex items-center justify-between gap-3 border-t border-line px-4 py-2.5 text-sm">
        <span className="text-ink-3">{more > 0 && `+${more} more`}</span>
        <Link to={to} className="inline-flex items-center gap-1 font-medium text-accent hover:underline">
          View all events
          <ArrowRight className="size-3.5" aria-hidden="true" />
        </Link>
      </p>
    </Card>
  );
}
