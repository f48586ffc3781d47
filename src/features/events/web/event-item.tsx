import { useQuery } from '@tanstack/react-query';
import {
  Bitcoin,
  BriefcaseBusiness,
  CalendarDays,
  CalendarPlus,
  ChartColumn,
  ExternalLink,
  Landmark,
  type LucideIcon,
  Percent,
  Scale,
  TrendingUp,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { Event, EventCategory } from '#features/events/contract.ts';
import type { ChannelName } from '#features/notifications/contract/notifications.ts';
import { ago, dateTime } from '#shared/format.ts';
import { Badge } from '#ui/badge.tsx';
import { cx } from '#ui/cx.ts';
import { useNow } from '#ui/now.ts';
import { useToken } from '#ui/session.ts';
import { dayKey, dayWords, easternTime, isPast, relativeLabel, timeWords } from './event-dates.ts';
import { CATEGORY_WORDS, eventSource, eventTitle, Impact, titleId } from './impact.tsx';
import { remindersQuery } from './queries.ts';

const NUMBER = /^([+\u2212-]?)\s*([$€£¥]?)([\d,]+(?:\.(\d+))?)\s*(.*)$/;

type Read = { value: number; decimals: number; currency: string; unit: string };

/** A figure as an agency writes it: '+0.3%', '147K', '$2.17'. */
function read(text: string | null): Read | null {
  const [, sign, currency = '', digits, fraction = '', unit = ''] = NUMBER.exec(text?.trim() ?? '') ?? [];
  if (digits === undefined) return null;
  const size = Number(digits.replaceAll(',', ''));
  if (!Number.isFinite(size)) return null;
  return { value: sign && sign !== '+' ? -size : size, decimals: fraction.length, currency, unit: unit.trim() };
}

type Surprise = { text: string; sign: -1 | 0 | 1 };

/** Difference between the release and its forecast, in their unit; null when either is missing or the units differ. */
export function computeSurprise(figures: Event['figures']): Surprise | null {
  const actual = read(figures?.actual ?? null);
  const forecast = read(figures?.forecast ?? null);
  if (!actual || !forecast || actual.unit !== forecast.unit || actual.currency !== forecast.currency) return null;
  const decimals = Math.max(actual.decimals, forecast.decimals);
  const off = Number((actual.value - forecast.value).toFixed(decimals));
  const unit = actual.unit === '%' ? ' pp' : actual.unit;
  if (off === 0) return { text: 'in line', sign: 0 };
  return {
    text: `${off < 0 ? '\u2212' : '+'}${actual.currency}${Math.abs(off).toFixed(decimals)}${unit}`,
    sign: off < 0 ? -1 : 1,
  };
}

const NAMES = [
  ['actual', 'Actual'],
  ['forecast', 'Forecast'],
  ['previous', 'Previous'],
] as const;

/** Higher inflation than expected is red, lower green; other figures are neutral. */
const tone = (category: Event['category'], sign: number): string => {
  if (category !== 'inflation' || sign === 0) return 'text-ink';
  return sign > 0 ? 'text-down' : 'text-up';
};

/** Figures of a data release: actual, forecast, previous. */
function ReleaseFigures({ event: { figures, category } }: { event: Event }) {
  if (!figures || !NAMES.some(([name]) => figures[name] !== null)) return null;
  const surprise = computeSurprise(figures);
  return (
    <dl className="num mt-1.5 flex flex-wrap gap-x-5 gap-y-0.5 text-sm">
      {NAMES.map(([name, words]) => (
        <div key={name} className="flex items-baseline gap-1.5">
          <dt className="label">{words}</dt>
          <dd className="font-medium">{figures[name] ?? '–'}</dd>
        </div>
      ))}
      {surprise && (
        <div className="flex items-baseline gap-1.5">
          <dt className="label">Surprise</dt>
          <dd className={cx('font-semibold', tone(category, surprise.sign))}>{surprise.text}</dd>
        </div>
      )}
    </dl>
  );
}

const WAYS: Record<ChannelName, string> = {
  email: 'email',
  push: 'push notification',
  telegram: 'Telegram',
  webhook: 'webhook',
};
const EVERYONE = 'The three-day reminder was sent to everyone with event reminders on.';

/** Reminders sent to the user; until known, the general text. */
function useWords(eventId: number): string {
  const { data } = useQuery(remindersQuery(useToken()));
  if (!data) return EVERYONE;
  const sent = data.sent.filter((each) => each.eventId === eventId);
  const ways = sent.map(({ channel, sentAt }) => `by ${WAYS[channel]} at ${sentAt.slice(11, 16)} UTC`);
  if (ways.length > 0) return `The three-day reminder was sent to you ${new Intl.ListFormat('en').format(ways)}.`;
  return data.on ? 'No three-day reminder was sent to you.' : 'Your event reminders are off.';
}

function ReminderBadge({ eventId }: { eventId: number }) {
  const words = useWords(eventId);
  return (
    <span className="cursor-help" title={words}>
      <Badge tone="accent">Notification Sent</Badge>
      <span className="sr-only">. {words}</span>
    </span>
  );
}

const ICONS: Record<EventCategory, LucideIcon> = {
  fed: Landmark,
  monetary_policy: Percent,
  crypto: Bitcoin,
  inflation: TrendingUp,
  regulation: Scale,
  earnings: ChartColumn,
  employment: BriefcaseBusiness,
  other: CalendarDays,
};

function CategoryIcon({ category }: { category: EventCategory }) {
  const Icon = ICONS[category];
  return (
    <span className="grid size-9 shrink-0 place-items-center rounded-ctl bg-raised text-ink-2" aria-hidden="true">
      <Icon className="size-4" strokeWidth={1.75} />
    </span>
  );
}

const MINUTE_MS = 60_000;

type Props = {
  event: Event;
  /** Actions for admins. */
  actions?: ReactNode;
};

/** One event with all details. */
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
            {eventTitle(event)}
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

/** Source, time of the last check, and the export to the user's calendar. */
function Origin({ event, now, past }: { event: Event; now: number; past: boolean }) {
  const checked = Date.parse(event.checkedAt);
  return (
    <p className="num mt-0.5 flex min-h-6 flex-wrap items-center gap-x-3 text-xs text-ink-3">
      {event.sourceUrl ? (
        <Outside href={event.sourceUrl}>{eventSource(event)}</Outside>
      ) : (
        <span>{eventSource(event)}</span>
      )}
      <span title={dateTime(checked)}>checked {ago(now - checked).toLowerCase()}</span>
      {!past && (
        <a
          href={`/api/events/${event.id}.ics`}
          download
          className="inline-flex min-h-6 items-center gap-1 font-medium text-accent hover:underline"
        >
          <CalendarPlus className="size-3.5" aria-hidden="true" />
          Add to calendar
          <span className="sr-only">: {eventTitle(event)}</span>
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
