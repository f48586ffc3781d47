import { useQuery } from '@tanstack/react-query';
import {
  CalendarClock,
  CalendarDays,
  CalendarPlus,
  CalendarRange,
  Download,
  Flame,
  type LucideIcon,
} from 'lucide-react';
import { useState } from 'react';
import type { Event } from '#features/events/contract.ts';
import { useAddressFilter } from '#ui/address-filter.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { cx } from '#ui/cx.ts';
import { useNow } from '#ui/now.ts';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import { useOrigin } from '#ui/use-browser.ts';
import { AdminExtras, useIgnored } from './admin-extras.tsx';
import { Calendar, EventList } from './calendar.tsx';
import { DeleteEvent, type OnDelete } from './event-actions.tsx';
import { isPast } from './event-dates.ts';
import {
  CATEGORY_CHOICES,
  type ChangeFilter,
  type Choice,
  choose,
  computeStats,
  type EventFilter,
  feedPath,
  IMPACT_CHOICES,
  isFiltered,
  NO_CHOICE,
  parseFilter,
  type Stats,
  TIME_CHOICES,
  writeFilter,
} from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { eventsQuery, everyEventQuery } from './queries.ts';
import { Study } from './study.tsx';

const LINK =
  'inline-flex h-8 items-center gap-1.5 rounded-ctl border border-line-strong px-3 text-sm font-medium whitespace-nowrap hover:bg-raised';

const nameIn = (choices: readonly (readonly [string, string])[], value: string): string =>
  choices.find(([each]) => each === value)?.[1] ?? value;

/** 'Federal Reserve, High, "minutes"' */
function filterText({ category, impact, time, search }: EventFilter): string {
  const words = [
    category !== 'all' && nameIn(CATEGORY_CHOICES, category),
    impact !== 'all' && `${nameIn(IMPACT_CHOICES, impact)} impact`,
    time !== 'all' && nameIn(TIME_CHOICES, time),
    search.trim() && `“${search.trim()}”`,
  ];
  return words.filter(Boolean).join(', ');
}

/** Calendar subscription for the current filter. */
function Subscribe({ filter }: { filter: EventFilter }) {
  const path = feedPath(filter);
  const webcal = useOrigin().replace(/^https?/, 'webcal') + path;
  return (
    <Card id="subscribe" title="Add to Your Calendar">
      <div className="grid gap-3 px-4 pb-4 text-sm">
        <p className="text-ink-2">
          {isFiltered(filter) ? `Follows your filter: ${filterText(filter)}.` : 'Follows every event.'} Subscribed
          calendars pick up new and changed dates automatically.
        </p>
        <p className="rounded-ctl bg-raised px-3 py-2 font-mono text-xs break-all">{webcal}</p>
        <div className="flex flex-wrap gap-1.5">
          <a href={webcal} className={LINK}>
            <CalendarPlus className="size-3.5" aria-hidden="true" />
            Subscribe
          </a>
          <CopyButton text={webcal} what="Calendar address" />
          <a href={path} download="events.ics" className={LINK}>
            <Download className="size-3.5" aria-hidden="true" />
            Download
          </a>
        </div>
      </div>
    </Card>
  );
}

const CARDS: readonly (readonly [key: keyof Stats, name: string, note: string, Icon: LucideIcon, applies: Choice])[] = [
  ['total', 'Total Events', 'All upcoming', CalendarDays, NO_CHOICE],
  ['high', 'High Impact', 'Market movers', Flame, { ...NO_CHOICE, impact: 'high' }],
  ['thisWeek', 'This Week', 'Within 7 days', CalendarClock, { ...NO_CHOICE, time: 'thisWeek' }],
  ['nextMonth', 'Next Month', 'Within 30 days', CalendarRange, { ...NO_CHOICE, time: 'nextMonth' }],
];

const fits = (filter: EventFilter, choice: Choice): boolean =>
  (Object.keys(NO_CHOICE) as (keyof Choice)[]).every((name) => filter[name] === choice[name]);

type Props = { stats: Stats | undefined; filter: EventFilter; onChange: ChangeFilter };

/** Four counts; each resets the other filters and applies its own. */
function StatCards({ stats, filter, onChange }: Props) {
  return (
    <ul aria-label="Events at a glance" className="mb-3 grid grid-cols-2 gap-3 md:grid-cols-4">
      {CARDS.map(([key, name, note, Icon, choice]) => {
        const chosen = fits(filter, choice);
        return (
          <li key={key} className="grid">
            <button
              type="button"
              aria-pressed={chosen}
              onClick={() => onChange(choice)}
              className={cx('card px-4 py-3 text-left', chosen ? 'border-accent!' : 'hover:border-line-strong')}
            >
              <span className="flex items-center justify-between gap-2 text-sm font-medium text-ink-2">
                {name}
                <Icon className={cx('size-4 shrink-0', chosen ? 'text-accent' : 'text-ink-3')} aria-hidden="true" />
              </span>
              <span className="num block text-2xl font-semibold tracking-[-0.025em]">{stats ? stats[key] : '–'}</span>
              <span className="label">{note}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

const MINUTE_MS = 60_000;
/** How far back the page goes, like its public endpoint. */
const DAYS_BACK = 7;
const ROWS = ['a', 'b', 'c', 'd', 'e'];

export function Events({ admin }: { admin: boolean }) {
  const [filter, change] = useAddressFilter(parseFilter, writeFilter);
  const [leaving, remove] = useState<Event | null>(null);
  const now = useNow(MINUTE_MS);
  const token = useToken();
  const ignored = useIgnored(admin && filter.ignored);
  const own = useQuery({ ...eventsQuery, enabled: !ignored });
  const every = useQuery({ ...everyEventQuery(token), enabled: ignored });
  const query = ignored ? every : own;
  const events = query.data?.filter(({ daysUntil }) => daysUntil >= -DAYS_BACK);
  return (
    <>
      <StatCards stats={events && computeStats(events, now)} filter={filter} onChange={change} />
      <FilterBar filter={filter} onChange={change}>
        {admin && <AdminExtras filter={filter} onChange={change} busy={query.isFetching} />}
      </FilterBar>
      <div className="grid grid-cols-1 content-start items-start gap-3 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <QueryView
          query={query}
          card={{ id: 'events', title: 'Events', className: 'min-h-96' }}
          loading={<Loading />}
          failed="Failed to load events"
        >
          {() => (
            <Chosen
              events={events ?? []}
              filter={{ ...filter, ignored }}
              onDelete={admin ? remove : null}
              now={now}
              onChange={change}
            />
          )}
        </QueryView>
        <div className="grid gap-3 xl:sticky xl:top-18">
          <Subscribe filter={filter} />
          <Study />
        </div>
      </div>
      {leaving && <DeleteEvent event={leaving} onClose={() => remove(null)} />}
    </>
  );
}

type ChosenProps = {
  events: readonly Event[];
  filter: EventFilter;
  onDelete: OnDelete | null;
  now: number;
  onChange: ChangeFilter;
};

function Chosen({ events, filter, onDelete, now, onChange }: ChosenProps) {
  const chosen = choose(events, filter, now);
  const clear = () => onChange(NO_CHOICE);
  const title = filter.view === 'list' ? 'Events' : 'Calendar';
  const past = chosen.filter((event) => isPast(event, now)).length;
  return (
    <Card
      id="events"
      title={title}
      note={
        <output className="label num">
          {chosen.length - past} upcoming, {past} past
          {chosen.length < events.length && ` of ${events.length}`}
        </output>
      }
      action={
        isFiltered(filter) && (
          <Button kind="quiet" onClick={clear}>
            Clear filters
          </Button>
        )
      }
    >
      {chosen.length === 0 && <NoneFits filtered={isFiltered(filter)} onClear={clear} />}
      {chosen.length > 0 && filter.view === 'list' && (
        <EventList key={JSON.stringify(filter)} events={chosen} onDelete={onDelete} label="Events" />
      )}
      {chosen.length > 0 && filter.view === 'calendar' && <Calendar events={chosen} onDelete={onDelete} now={now} />}
    </Card>
  );
}

function Loading() {
  return (
    <div className="grid gap-3 px-4 pb-4">
      <output className="text-sm text-ink-2">Loading upcoming events...</output>
      {ROWS.map((row) => (
        <div key={row} className="skel h-16" aria-hidden="true" />
      ))}
    </div>
  );
}

function NoneFits({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  return (
    <div className="flex min-h-56 flex-col pb-8 text-center">
      <Empty
        title="No events match your filters"
        note={filtered ? 'Try a different category, impact, time or search.' : 'No source has listed an event yet.'}
      />
      <Button className="mx-auto" onClick={onClear}>
        Clear filters
      </Button>
    </div>
  );
}
