import type { KeyboardEvent } from 'react';
import type { Event, EventImpact } from '#features/events/contract.ts';
import { cx } from '#ui/cx.ts';
import { dayWords, leafOf } from './event-dates.ts';
import { titleOf } from './words.ts';

/** Named in a cell; the list below names all. */
const MOST = 3;
const HEIGHT = { minHeight: 'clamp(3.75rem, 8vw, 6.5rem)' };
const DOTS: Record<EventImpact, string> = { high: 'bg-down', medium: 'bg-warn', low: 'bg-ink-3' };

type Props = {
  day: string;
  events: readonly Event[];
  today: boolean;
  chosen: boolean;
  past: boolean;
  onChoose: () => void;
  onKey: (event: KeyboardEvent) => void;
};

export function CalendarDay({ day, events, today, chosen, past, onChoose, onKey }: Props) {
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
          {day.endsWith('-01') ? `1 ${leafOf(day).month}` : Number(day.slice(8))}
        </span>
        {events.slice(0, MOST).map((event) => (
          <span key={event.id} className="flex w-full items-start gap-1 text-2xs">
            <span className={cx('mt-[5px] size-1.5 shrink-0 rounded-full', DOTS[event.impact])} />
            <span className={cx('line-clamp-2 min-w-0 max-sm:hidden', past && 'text-ink-3')}>
              {event.figures?.actual && <b className="font-semibold">{event.figures.actual} </b>}
              {titleOf(event)}
            </span>
          </span>
        ))}
        {events.length > MOST && <span className="text-2xs text-ink-3">+{events.length - MOST}</span>}
      </button>
    </td>
  );
}
