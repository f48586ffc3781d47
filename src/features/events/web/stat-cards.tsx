import { CalendarClock, CalendarDays, CalendarRange, Flame, type LucideIcon } from 'lucide-react';

import { cx } from '#web/ui/cx.ts';

import { type ChangeFilter, type Choice, type EventFilter, NO_CHOICE, type Stats } from './filter.ts';

const CARDS: readonly (readonly [key: keyof Stats, name: string, note: string, Icon: LucideIcon, applies: Choice])[] = [
  ['total', 'Total Events', 'Everything ahead', CalendarDays, NO_CHOICE],
  ['high', 'High Impact', 'Those that move markets', Flame, { ...NO_CHOICE, impact: 'high' }],
  ['thisWeek', 'This Week', 'Within 7 days', CalendarClock, { ...NO_CHOICE, time: 'thisWeek' }],
  ['nextMonth', 'Next Month', 'Within 30 days', CalendarRange, { ...NO_CHOICE, time: 'nextMonth' }],
];

const fits = (filter: EventFilter, choice: Choice): boolean =>
  (Object.keys(NO_CHOICE) as (keyof Choice)[]).every((name) => filter[name] === choice[name]);

type Props = { stats: Stats | undefined; filter: EventFilter; onChange: ChangeFilter };

/** Four counts; each lets the other filters go and applies its own. */
export function StatCards({ stats, filter, onChange }: Props) {
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
