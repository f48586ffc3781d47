import type { KeyboardEvent } from 'react';
import type { Event, EventImpact } from '#features/events/contract.ts';
import { cx } from '#ui/cx.ts';
import { dayWords } from './event-dates.ts';
import { titleOf } from './words.ts';

/** Named in a cell; the day itself tells all. */
const MOST = 3;
const HEIGHT = { minHeight: 'clamp(3.75rem, 8vw, 6.5rem)' };
const DOTS: Record<EventImpact, string> = { high: 'bg-down', medium: 'bg-warn', low: 'bg-ink-3' };

type Props = {
  day: string;
  events: readonly Event[];
  today: boolean;
  chosen: boolean;
  outside: boolean;
  onChoose: () => void;
  onKey: (event: KeyboardEvent) => void;
};

export function CalendarDay({ day, events, today, chosen, outside, onChoose, onKey }: Props) {
  const count = events.length === 0 ? 'no events' : `${events.length} ${events.length === 1 ? 'event' : 'events'}`;
  return (
    <td aria-selected={chosen} className="border border-line p-0">
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
            'grid size-6 place-items-center rounded-full text-xs font-medium',
            today && 'bg-accent text-surface',
            outside && !today && 'text-ink-3',
          )}
        >
          {Number(day.slice(8))}
        </span>
        {events.slice(0, MOST).map((event) => (
          <span key={event.id} className="flex w-full items-center gap-1 text-2xs">
            <span className={cx('size-1.5 shrink-0 rounded-full', DOTS[event.impact])} />
            <span className={cx('truncate max-sm:hidden', outside && 'text-ink-3')}>{titleOf(event)}</span>
          </span>
        ))}
        {events.length > MOST && <span className="text-2xs text-ink-3">+{events.length - MOST}</span>}
      </button>
    </td>
  );
}
