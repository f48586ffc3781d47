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
import { ReminderBadge } from './reminder-badge.tsx';
import { dayKey, dayWords, easternTime, isPast, relativeLabel, timeWords } from './when.ts';
import { CATEGORY_WORDS, sourceOf, titleId, titleOf } from './words.ts';

const MINUTE_MS = 60_000;

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
    <li className={cx('flex gap-3.5 border-t border-line px-4 py-3.5 first:border-t-0', past && 'bg-raised/40')}>
      <CategoryIcon category={event.category} />
      <div className="flex min-w-0 flex-1 flex-wrap gap-x-6 gap-y-1.5">
        <When event={event} past={past} />
        <div className="min-w-0 flex-1">
          <h3 id={titleId(event)} className={cx('text-base font-semibold break-words', past && 'text-ink-2')}>
            {titleOf(event)}
          </h3>
          <Badges event={event} past={past} />
          <p className="mt-1.5 max-w-[68ch] text-sm text-ink-2 break-words">
            {event.description?.trim() || 'No description available'}
          </p>
          <ReleaseFigures event={event} />
          <p className="mt-1 max-w-[68ch] text-xs text-ink-3">{event.why}</p>
          <Origin event={event} now={now} past={past} />
        </div>
        {actions && <div className="order-last flex w-full flex-wrap gap-1.5">{actions}</div>}
      </div>
    </li>
  );
}

function Badges({ event, past }: { event: Event; past: boolean }) {
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1">
      <Impact level={event.impact} />
      <Badge>{CATEGORY_WORDS[event.category]}</Badge>
      {event.dateEstimated && <Badge tone="warn">Estimated date</Badge>}
      {event.daysUntil === 3 && event.notified && !past && <ReminderBadge eventId={event.id} />}
      {event.ignored && <Badge tone="warn">Ignored</Badge>}
    </p>
  );
}

function When({ event, past }: { event: Event; past: boolean }) {
  const eastern = easternTime(event);
  const { interval, otherTimes } = event;
  return (
    <div className="num w-full text-sm sm:order-2 sm:w-48">
      <p className={past ? 'text-ink-3' : 'font-semibold'}>{relativeLabel(event, past)}</p>
      <p className="flex flex-wrap gap-x-2 sm:block">
        <time dateTime={event.date} className="block text-ink-2">
          {dayWords(dayKey(event))}
        </time>
        <span className="text-ink-2">{event.allDay ? 'All day' : timeWords(event.date)}</span>
      </p>
      {eastern && (
        <p className="text-xs text-ink-3">
          {eastern} <span>Eastern Time</span>
        </p>
      )}
      {interval && (
        <p className="text-xs text-warn">
          between {dayWords(interval.from)} and {dayWords(interval.to)}
        </p>
      )}
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

/** Who says so, when it was last looked at, and the way into the reader's own calendar. */
function Origin({ event, now, past }: { event: Event; now: number; past: boolean }) {
  const checked = Date.parse(event.checkedAt);
  return (
    <p className="num mt-0.5 flex min-h-6 flex-wrap items-center gap-x-3 text-xs text-ink-3">
      {event.sourceUrl ? <Outside href={event.sourceUrl}>{sourceOf(event)}</Outside> : <span>{sourceOf(event)}</span>}
      <span title={dateTime(checked)}>checked {ago(now - checked)}</span>
      {!past && (
        <a
          href={`/api/events/${event.id}.ics`}
          download
          className="inline-flex min-h-6 items-center gap-1 font-medium text-accent hover:underline"
        >
          <CalendarPlus className="size-3.5" aria-hidden="true" />
          Add to calendar
          <span className="sr-only">: {titleOf(event)}</span>
        </a>
      )}
    </p>
  );
}

function Outside({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a
      href={href}
      rel="noreferrer"
      target="_blank"
      className="inline-flex min-h-6 items-center gap-1 underline underline-offset-2 hover:text-ink"
    >
      {children}
      <ExternalLink className="size-3" aria-hidden="true" />
      <span className="sr-only">(opens in a new tab)</span>
    </a>
  );
}
