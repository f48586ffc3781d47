import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { Event, EventImpact } from '#features/events/contract.ts';
import { useAddressFilter } from '#ui/address-filter.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { writeTexts } from '#ui/search-params.ts';
import { Empty } from '#ui/states.tsx';
import { EventActions, type OnDelete } from './event-actions.tsx';
import {
  addDays,
  addMonths,
  calendarLeaf,
  dayKey,
  dayWords,
  isPast,
  monthWords,
  todayKey,
  weekdayIndex,
  weekStart,
  weeksFrom,
  weekWords,
} from './event-dates.ts';
import { EventItem } from './event-item.tsx';
import { eventTitle } from './impact.tsx';

/** Rows rendered at a time. */
const STEP = 20;

type Props = {
  events: readonly Event[];
  /** For admins. */
  onDelete: OnDelete | null;
  label: string;
};

export function EventList({ events, onDelete, label }: Props) {
  const [shown, setShown] = useState(STEP);
  return (
    <>
      <ul aria-label={label} className="border-t border-line">
        {events.slice(0, shown).map((event) => (
          <EventItem
            key={event.id}
            event={event}
            actions={onDelete && <EventActions event={event} onDelete={onDelete} />}
          />
        ))}
      </ul>
      {shown < events.length && (
        <div className="border-t border-line px-4 py-3 text-center">
          <Button onClick={() => setShown(shown + STEP)} className="max-sm:h-10">
            Show {Math.min(STEP, events.length - shown)} more
          </Button>
        </div>
      )}
    </>
  );
}

/** Shown in a cell; the list below shows all. */
const MOST = 3;
const HEIGHT = { minHeight: 'clamp(3.75rem, 8vw, 6.5rem)' };
const DOTS: Record<EventImpact, string> = { high: 'bg-down', medium: 'bg-warn', low: 'bg-ink-3' };

type CalendarDayProps = {
  day: string;
  events: readonly Event[];
  today: boolean;
  chosen: boolean;
  past: boolean;
  onChoose: () => void;
  onKey: (event: KeyboardEvent) => void;
};

function CalendarDay({ day, events, today, chosen, past, onChoose, onKey }: CalendarDayProps) {
  const count = events.length === 0 ? 'no events' : `${events.length} ${events.length === 1 ? 'event' : 'events'}`;
  return (
    <td aria-selected={chosen} className="border border-line p-0 align-top">
      <button
        type="button"
        data-day={day}
        tabIndex={chosen ? 0 : -1}
        aria-label={`${dayWords(day)}, ${count}`}
        aria-current={today ? 'date' : undefined}
        onClick={onChoose}
        onKeyDown={onKey}
        style={HEIGHT}
        className={cx(
          'flex w-full flex-col gap-0.5 p-1.5 text-left focus-visible:-outline-offset-2',
          chosen ? 'bg-raised' : 'hover:bg-raised/50',
        )}
      >
        <span
          className={cx(
            'grid h-6 min-w-6 place-items-center self-start rounded-full text-xs font-medium',
            today && 'bg-accent text-surface',
            past && 'text-ink-3',
          )}
        >
          {day.endsWith('-01') ? `1 ${calendarLeaf(day).month}` : Number(day.slice(8))}
        </span>
        {events.slice(0, MOST).map((event) => (
          <span key={event.id} className="flex w-full items-start gap-1 text-2xs">
            <span className={cx('mt-[5px] size-1.5 shrink-0 rounded-full', DOTS[event.impact])} />
            <span className={cx('line-clamp-2 min-w-0 max-sm:hidden', past && 'text-ink-3')}>
              {event.figures?.actual && <b className="font-semibold">{event.figures.actual} </b>}
              {eventTitle(event)}
            </span>
          </span>
        ))}
        {events.length > MOST && <span className="text-2xs text-ink-3">+{events.length - MOST}</span>}
      </button>
    </td>
  );
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** Target of a key from a day, as in any keyboard-accessible calendar. */
const STEPS: Record<string, (day: string) => string> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7),
  ArrowDown: (day) => addDays(day, 7),
  PageUp: (day) => addMonths(day, -1),
  PageDown: (day) => addMonths(day, 1),
  Home: (day) => addDays(day, -weekdayIndex(day)),
  End: (day) => addDays(day, 6 - weekdayIndex(day)),
};

/** Days have equal width. */
const FIXED = { tableLayout: 'fixed' } as const;

/** The page covers the past week: for earlier days it cannot say there were no events. */
const DAYS_BACK = 7;
const isListed = (day: string, today: string): boolean => day >= addDays(today, -DAYS_BACK);

const WEEKS = 5;
/** The first week shown, moved as little as possible to show the day. */
function startFor(day: string, start: string): string {
  const week = weekStart(day);
  const latest = addDays(week, -7 * (WEEKS - 1));
  if (start > week) return week;
  return start < latest ? latest : start;
}

const DAY = /^20\d\d-\d\d-\d\d$/;
const dayIn = (text: string | null) =>
  text && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? addDays(text, 0) : null;

/** The chosen day, and the first week if the calendar was moved. */
type Place = { day: string | null; week: string | null };

const parsePlace = (params: URLSearchParams): Place => {
  const week = dayIn(params.get('week'));
  return { day: dayIn(params.get('day')), week: week && weekStart(week) };
};
const writePlace = (params: URLSearchParams, place: Place) => writeTexts(params, place);

type CalendarProps = { events: readonly Event[]; onDelete: OnDelete | null; now: number };

/** Weeks of events from the current one; the chosen day, initially the next with events, is listed in full below. */
export function Calendar({ events, onDelete, now }: CalendarProps) {
  const id = useId();
  const today = todayKey(now);
  const [{ day: chosen, week }, go] = useAddressFilter(parsePlace, writePlace);
  const next = events
    .filter((event) => !isPast(event, now))
    .map(dayKey)
    .toSorted()[0];
  const day = chosen ?? next ?? today;
  const start = startFor(day, week ?? weekStart(today));
  const moved = useRef(false);
  const grid = useRef<HTMLTableElement>(null);
  useEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    grid.current?.querySelector<HTMLElement>(`[data-day="${day}"]`)?.focus();
  }, [day]);

  const onKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    moved.current = true;
    show(step(day), start);
  };
  const show = (to: string, from = weekStart(to)) => go({ day: to, week: from === weekStart(today) ? null : from });
  const byDay = Map.groupBy(events, dayKey);
  const own = byDay.get(day) ?? [];
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 px-4 pb-3">
        <Button aria-label="Previous month" className="px-2 max-sm:h-10" onClick={() => show(addMonths(day, -1))}>
          <ChevronLeft className="size-4" aria-hidden="true" />
        </Button>
        <output id={id} className="min-w-[8.25rem] text-center text-base font-semibold">
          {monthWords(day)}
        </output>
        <Button aria-label="Next month" className="px-2 max-sm:h-10" onClick={() => show(addMonths(day, 1))}>
          <ChevronRight className="size-4" aria-hidden="true" />
        </Button>
        <Button
          className="ml-auto max-sm:h-10"
          disabled={day === today && start === weekStart(today)}
          onClick={() => show(today)}
        >
          Today
        </Button>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- arrow keys walk through the days */}
      <table ref={grid} role="grid" aria-labelledby={id} className="num w-full" style={FIXED}>
        <thead>
          <tr>
            {WEEKDAYS.map((name) => (
              <th key={name} scope="col" abbr={name} className="label py-1">
                {name.slice(0, 3)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksFrom(start, WEEKS).map((week) => {
            const monday = week[0] ?? start;
            const isEmpty = monday !== weekStart(today) && !week.some((each) => each === day || byDay.has(each));
            return (
              <tr key={monday}>
                {isEmpty ? (
                  <td colSpan={7} className="label border border-line px-2 py-1.5">
                    {weekWords(monday)} · {isListed(monday, today) ? 'No events' : 'No longer listed'}
                  </td>
                ) : (
                  week.map((each) => (
                    <CalendarDay
                      key={each}
                      day={each}
                      events={byDay.get(each) ?? []}
                      today={each === today}
                      chosen={each === day}
                      past={each < today}
                      onChoose={() => show(each, start)}
                      onKey={onKey}
                    />
                  ))
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
      <section aria-labelledby={`${id}-day`} className="border-t border-line">
        <h3 id={`${id}-day`} className="px-4 pt-3 pb-2 text-base font-semibold">
          {dayWords(day)}
        </h3>
        {own.length === 0 ? (
          <Empty title={isListed(day, today) ? 'No events on this day' : 'Events of this day are no longer listed'} />
        ) : (
          <EventList key={day} events={own} onDelete={onDelete} label={`Events on ${dayWords(day)}`} />
        )}
      </section>
    </>
  );
}
