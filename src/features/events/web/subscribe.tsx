import { CalendarPlus, Download } from 'lucide-react';

import { Card } from '#web/ui/card.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';

import { CATEGORY_CHOICES, type EventFilter, feedPath, IMPACT_CHOICES, isFiltered, TIME_CHOICES } from './filter.ts';

const LINK =
  'inline-flex h-8 items-center gap-1.5 rounded-ctl border border-line-strong px-3 text-sm font-medium whitespace-nowrap hover:bg-raised';

const nameIn = (choices: readonly (readonly [string, string])[], value: string): string =>
  choices.find(([each]) => each === value)?.[1] ?? value;

/** 'Federal Reserve, High, "minutes"' */
function wordsOf({ category, impact, time, search }: EventFilter): string {
  const words = [
    category !== 'all' && nameIn(CATEGORY_CHOICES, category),
    impact !== 'all' && `${nameIn(IMPACT_CHOICES, impact)} impact`,
    time !== 'all' && nameIn(TIME_CHOICES, time),
    search.trim() && `“${search.trim()}”`,
  ];
  return words.filter(Boolean).join(', ');
}

/** The calendar of the present filter, for the reader's own calendar. */
export function Subscribe({ filter }: { filter: EventFilter }) {
  const path = feedPath(filter);
  const webcal = `webcal://${location.host}${path}`;
  return (
    <Card id="subscribe" title="In your calendar">
      <div className="grid gap-3 px-4 pb-4 text-sm">
        <p className="text-ink-2">
          {isFiltered(filter) ? `Follows your filter: ${wordsOf(filter)}.` : 'Follows every event.'} A calendar that
          subscribes gets new dates and moved ones by itself.
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
