import type { UpcomingEvent } from '../contract.ts';
import { Impact } from './impact.tsx';
import { dayKey, easternTime, leafOf, relativeLabel, timeWords } from './when.ts';
import { CATEGORY_WORDS, sourceOf, titleOf } from './words.ts';

/** A line of the card: the leaf of the calendar, what, when, and how much it matters. */
export function UpcomingRow({ event }: { event: UpcomingEvent }) {
  const { month, day } = leafOf(dayKey(event));
  const eastern = easternTime(event);
  const time = event.allDay ? 'All day' : timeWords(event.date);
  return (
    <li className="flex items-center gap-3.5 border-t border-line px-4 py-2">
      <time dateTime={event.date} className="w-9 shrink-0 text-center leading-none">
        <span className="block text-[10px] font-semibold text-ink-3 uppercase">{month}</span>
        <span className="num block text-lg font-semibold">{day}</span>
      </time>
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm font-medium" title={titleOf(event)}>
          {titleOf(event)}
        </p>
        <p className="num truncate text-2xs text-ink-3">
          {event.dateEstimated ? 'Estimated date' : time}
          {eastern && `, ${eastern} Eastern Time`} · {CATEGORY_WORDS[event.category]} · {sourceOf(event)}
        </p>
      </div>
      <div className="flex shrink-0 flex-col items-end gap-0.5">
        <span className="num text-xs font-medium">{relativeLabel(event)}</span>
        <Impact level={event.impact} />
      </div>
    </li>
  );
}
