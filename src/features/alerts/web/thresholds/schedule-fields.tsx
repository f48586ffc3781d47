import { cx } from '#ui/cx.ts';
import { TextField } from '#ui/inputs.tsx';
import { ownZone, ZoneField, zoneWords } from '#ui/zone-field.tsx';
import type { Problems, ScheduleDraft } from './draft.ts';

/** From 0, as the wire counts them; shown from Monday on. */
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const SHOWN = [1, 2, 3, 4, 5, 6, 0];

export const WORKDAYS = (): ScheduleDraft => ({
  days: [1, 2, 3, 4, 5],
  from: '09:00',
  to: '17:00',
  timeZone: ownZone(),
});

export function scheduleWords({ days, from, to, timeZone }: ScheduleDraft): string {
  const names = SHOWN.filter((day) => days.includes(day)).map((day) => DAYS[day]?.slice(0, 3));
  const said = days.length === 7 ? 'every day' : days.join() === '1,2,3,4,5' ? 'weekdays' : names.join(', ');
  return `${said} ${from}–${to} ${zoneWords(timeZone)}`;
}

type Props = { schedule: ScheduleDraft; problems: Problems; onChange: (schedule: ScheduleDraft) => void };

export function ScheduleFields({ schedule, problems, onChange }: Props) {
  const { days, from, to, timeZone } = schedule;
  const toggle = (day: number) =>
    onChange({ ...schedule, days: DAYS.map((_, i) => i).filter((i) => (i === day) !== days.includes(i)) });
  return (
    <div className="grid gap-3">
      <fieldset>
        <legend className="mb-1 text-sm font-medium">Days</legend>
        <div className="flex flex-wrap gap-1.5">
          {SHOWN.map((day) => (
            <label
              key={day}
              className={cx(
                'day-box relative grid h-10 w-11 cursor-pointer place-items-center rounded-ctl border border-line-strong text-sm font-medium',
              )}
            >
              <input
                type="checkbox"
                aria-label={DAYS[day]}
                checked={days.includes(day)}
                onChange={() => toggle(day)}
                className="absolute inset-0 cursor-pointer appearance-none"
              />
              {DAYS[day]?.slice(0, 2)}
            </label>
          ))}
        </div>
        {problems.days && (
          <p role="alert" className="mt-1 text-sm font-medium text-down">
            {problems.days}
          </p>
        )}
      </fieldset>
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label="From"
          type="time"
          value={from}
          problem={problems.times}
          onText={(next) => onChange({ ...schedule, from: next })}
        />
        <TextField label="To" type="time" value={to} onText={(next) => onChange({ ...schedule, to: next })} />
      </div>
      <ZoneField value={timeZone} onZone={(next) => onChange({ ...schedule, timeZone: next })} />
    </div>
  );
}
