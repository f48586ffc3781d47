import { CalendarPlus, ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';

import { ago, dateTime } from '#shared/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { cx } from '#web/ui/cx.ts';
import { useNow } from '#web/ui/now.ts';

import type { Event } from '../contract.ts';
import { CategoryIcon } from './category-icon.tsx';
import { Impact } from './impact.tsx';
import { ReleaseFigures } from './release-figures.tsx';
import { dayKey, dayWords, easternTime, isPast, relativeLabel, timeWords } from './when.ts';
import { CATEGORY_WORDS, sourceOf, titleOf } from './words.ts';

const MINUTE_MS = 60_000;
const REMINDED = 'The three-day reminder has gone out to everyone who has event reminders switched on.';

type Props = {
  event: Event;
  /** What an admin may do with it. */
  actions?: ReactNode;
};

/** One event with everything that is known of it. */
export function EventItem({ event, actions }: Props) {
  const now = useNow(MINUTE_MS);
  const past = isPast(event, now);
  return (
    <li
      id={`event-${event.id}`}
      className={cx('flex gap-3.5 border-t border-line px-4 py-3.5 first:border-t-0', past && 'bg-raised/40')}
    >
      <CategoryIcon category={event.category} />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
          <h3 className={cx('text-base font-semibold break-words', past && 'text-ink-2')}>{titleOf(event)}</h3>
          <p className={cx('num text-sm whitespace-nowrap', past ? 'text-ink-3' : 'font-semibold')}>
            {relativeLabel(event, past)}
          </p>
        </div>
        <Badges event={event} past={past} />
        <When event={event} />
        <p className="mt-1.5 max-w-[72ch] text-sm text-ink-2 break-words">
          {event.description?.trim() || 'No description available'}
        </p>
        <ReleaseFigures event={event} />
        <div className="mt-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <Origin event={event} now={now} />
          <div className="flex flex-wrap items-center gap-1.5">
            {!past && <AddToCalendar event={event} />}
            {actions}
          </div>
        </div>
      </div>
    </li>
  );
}

function Badges({ event, past }: { event: Event; past: boolean }) {
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1">
      <Impact level={event.impact} why={event.why} />
      <Badge>{CATEGORY_WORDS[event.category]}</Badge>
      {event.dateEstimated && <Badge tone="warn">Estimated date</Badge>}
      {event.daysUntil === 3 && event.notified && !past && (
        <span className="cursor-help" title={REMINDED}>
          <Badge tone="accent">Notification Sent</Badge>
          <span className="sr-only">. {REMINDED}</span>
        </span>
      )}
      {event.ignored && <Badge tone="down">Ignored</Badge>}
    </p>
  );
}

function When({ event }: { event: Event }) {
  const eastern = easternTime(event);
  const { interval, otherTimes } = event;
  return (
    <div className="num mt-1.5 text-sm">
      <p className="flex flex-wrap gap-x-2">
        <time dateTime={event.date} className="font-medium">
          {dayWords(dayKey(event))}
        </time>
        <span className="text-ink-2">{event.allDay ? 'All day' : timeWords(event.date)}</span>
        {eastern && (
          <span className="text-ink-3">
            {eastern} <span>Eastern Time</span>
          </span>
        )}
        {interval && (
          <span className="text-warn">
            between {dayWords(interval.from)} and {dayWords(interval.to)}
          </span>
        )}
      </p>
      {otherTimes.map((other) => (
        <p key={`${other.source} ${other.date}`} className="text-xs text-warn">
          {other.url ? <Outside href={other.url}>{other.source}</Outside> : other.source} says{' '}
          {dayWords(dayKey({ date: other.date, allDay: event.allDay }))}
          {!event.allDay && `, ${timeWords(other.date)}`}
        </p>
      ))}
    </div>
  );
}

function Origin({ event, now }: { event: Event; now: number }) {
  const checked = Date.parse(event.checkedAt);
  return (
    <p className="num flex flex-wrap gap-x-2 text-xs text-ink-3">
      {event.sourceUrl ? <Outside href={event.sourceUrl}>{sourceOf(event)}</Outside> : <span>{sourceOf(event)}</span>}
      <span title={dateTime(checked)}>checked {ago(now - checked)}</span>
    </p>
  );
}

function Outside({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a
      href={href}
      rel="noreferrer"
      target="_blank"
      className="inline-flex items-center gap-1 underline underline-offset-2 hover:text-ink"
    >
      {children}
      <ExternalLink className="size-3" aria-hidden="true" />
      <span className="sr-only">(opens in a new tab)</span>
    </a>
  );
}

function AddToCalendar({ event }: { event: Event }) {
  return (
    <a
      href={`/api/events/${event.id}.ics`}
      download
      className="inline-flex h-8 items-center gap-1.5 rounded-ctl px-2.5 text-sm font-medium whitespace-nowrap text-accent hover:bg-raised max-sm:h-10"
    >
      <CalendarPlus className="size-3.5" aria-hidden="true" />
      Add to calendar
      <span className="sr-only">: {titleOf(event)}</span>
    </a>
  );
}
