import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';

import { findWatched } from '#shared/watched.ts';
import { cx } from '#ui/cx.ts';
import { SelectField, TextField } from '#ui/inputs.tsx';
import { ownZone, ZoneField, zoneWords } from '#ui/zone-field.tsx';

import { ConditionFields } from './condition-fields.tsx';
import { COOLDOWN_MINUTES, type Draft, type Problems, type ScheduleDraft, toValue } from './draft.ts';
import { conditionSentence, conditionUnit, findMeasure, isDirection, watchesChange } from './labels.ts';
import { measured, readNumber } from './numbers.ts';
import { type Market, makeDraft } from './templates.ts';

/** From 0, as in the API; shown from Monday. */
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const SHOWN = [1, 2, 3, 4, 5, 6, 0];

const WORKDAYS = (): ScheduleDraft => ({
  days: [1, 2, 3, 4, 5],
  from: '09:00',
  to: '17:00',
  timeZone: ownZone(),
});

function scheduleWords({ days, from, to, timeZone }: ScheduleDraft): string {
  const names = SHOWN.filter((day) => days.includes(day)).map((day) => DAYS[day]?.slice(0, 3));
  const dayNames = days.length === 7 ? 'every day' : days.join() === '1,2,3,4,5' ? 'weekdays' : names.join(', ');
  return `${dayNames} ${from}–${to} ${zoneWords(timeZone)}`;
}

type ScheduleFieldsProps = { schedule: ScheduleDraft; problems: Problems; onChange: (schedule: ScheduleDraft) => void };

function ScheduleFields({ schedule, problems, onChange }: ScheduleFieldsProps) {
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

const two = (value: number) => String(value).padStart(2, '0');

/** In the format of a datetime-local input; empty without one. */
function localInput(iso: string | null): string {
  if (iso === null) return '';
  const at = new Date(iso);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

function toIso(local: string): string | null {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** In the user's time zone. */
const localWords = (iso: string): string =>
  new Date(iso).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });

const UNITS = [
  [1440, 'day'],
  [60, 'hour'],
  [1, 'minute'],
] as const;

/** '90' → '1 hour 30 minutes' */
export function minutesWords(text: string): string {
  let left = readNumber(text);
  if (!Number.isInteger(left) || left < 0) return '';
  if (left === 0) return '0 minutes';
  const parts: string[] = [];
  for (const [size, word] of UNITS) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${count} ${word}${count === 1 ? '' : 's'}`);
  }
  return parts.join(' ');
}

/** Differences from a plain rule, so that the collapsed section hides nothing important. */
function chosenOptions(draft: Draft, market: Market): string[] {
  const { mode, cooldown, margin, hold, expiresAt, and, schedule } = draft;
  return [
    mode === 'once' && 'once',
    readNumber(cooldown) !== COOLDOWN_MINUTES && `cooldown ${minutesWords(cooldown)}`,
    margin.trim() !== '' && `margin ${margin}`,
    readNumber(hold) > 0 && `held for ${minutesWords(hold)}`,
    expiresAt !== null && `until ${localWords(expiresAt)}`,
    and !== null && `and ${conditionSentence({ ...and, value: toValue(and) }, market.coins)}`,
    schedule !== null && scheduleWords(schedule),
  ].filter((each) => each !== false);
}

/** The margin used when none is given. */
function ownMargin({ metric, condition }: Draft): string {
  const watched = findWatched(metric);
  if (!watched || watchesChange(condition)) return 'Custom';
  const { margin } = watched;
  return 'share' in margin
    ? `${margin.share * 100}% of the level`
    : measured(margin.units, { ...findMeasure(metric, condition), signed: false });
}

type AdvancedProps = { draft: Draft; market: Market; problems: Problems; onChange: (draft: Draft) => void };

/** Collapsed: most rules need none of it. */
export function Advanced({ draft, market, problems, onChange }: AdvancedProps) {
  const chosen = chosenOptions(draft, market);
  const set = (change: Partial<Draft>) => onChange({ ...draft, ...change });
  const wrong = ['cooldown', 'margin', 'hold', 'secondMetric', 'secondValue', 'days', 'times'].some(
    (field) => field in problems,
  );
  return (
    <details className="border-t border-line" {...(wrong ? { open: true } : {})}>
      <summary className="flex min-h-11 items-center gap-2 text-sm">
        <ChevronDown className="size-4 shrink-0 text-ink-3" aria-hidden="true" />
        <span className="shrink-0 font-medium">Advanced options</span>
        <span className="min-w-0 truncate text-ink-3">{chosen.join(' · ')}</span>
      </summary>
      <div className="grid grid-cols-1 gap-3 pt-1 pb-2">
        <div className="grid grid-cols-2 gap-3">
          <SelectField
            label="Fires"
            value={draft.mode}
            note={draft.mode === 'once' ? 'Once, then done' : 'After it recovers'}
            onText={(mode) => set({ mode: mode === 'once' ? 'once' : 'every' })}
          >
            <option value="every">Every crossing</option>
            <option value="once">Once</option>
          </SelectField>
          <TextField
            label="Cooldown"
            inputMode="numeric"
            unit="min"
            value={draft.cooldown}
            problem={problems.cooldown}
            note={minutesWords(draft.cooldown)}
            onText={(cooldown) => set({ cooldown })}
          />
          <TextField
            label="Hold time"
            inputMode="numeric"
            unit="min"
            value={draft.hold}
            problem={problems.hold}
            note={readNumber(draft.hold) > 0 ? `Must hold for ${minutesWords(draft.hold)}` : 'Fires immediately'}
            onText={(hold) => set({ hold })}
          />
          {!isDirection(draft.metric) && (
            <TextField
              label="Margin"
              inputMode="decimal"
              unit={conditionUnit(draft.metric, draft.condition)}
              placeholder={ownMargin(draft)}
              value={draft.margin}
              problem={problems.margin}
              note="Distance before it rearms"
              onText={(margin) => set({ margin })}
            />
          )}
          <TextField
            label="Expires"
            type="datetime-local"
            value={localInput(draft.expiresAt)}
            note="Your time zone"
            onText={(text) => set({ expiresAt: toIso(text) })}
          />
        </div>
        <Part
          label="Only while a second condition is met"
          on={draft.and !== null}
          onChange={(on) => set({ and: on ? createSecondCondition(draft, market) : null })}
        >
          {draft.and && (
            <div className="grid gap-3">
              <ConditionFields
                draft={draft.and}
                market={market}
                prefix="Second"
                problems={{ metric: problems.secondMetric, value: problems.secondValue }}
                onChange={(and) => set({ and })}
              />
            </div>
          )}
        </Part>
        <Part
          label="Only at certain times"
          on={draft.schedule !== null}
          onChange={(on) => set({ schedule: on ? WORKDAYS() : null })}
        >
          {draft.schedule && (
            <ScheduleFields schedule={draft.schedule} problems={problems} onChange={(schedule) => set({ schedule })} />
          )}
        </Part>
      </div>
    </details>
  );
}

function createSecondCondition(draft: Draft, market: Market) {
  const metric = draft.metric === 'fear_greed' ? 'btc_price' : 'fear_greed';
  const { condition, value } = makeDraft({ metric, condition: 'above' }, market);
  return { metric, condition, value };
}

type PartProps = { label: string; on: boolean; onChange: (on: boolean) => void; children: ReactNode };

function Part({ label, on, onChange, children }: PartProps) {
  return (
    <div>
      <label className="flex min-h-11 cursor-pointer items-center gap-2.5 text-sm font-medium sm:min-h-8">
        <input
          type="checkbox"
          checked={on}
          onChange={(event) => onChange(event.target.checked)}
          className="size-4 shrink-0 accent-(--accent)"
        />
        {label}
      </label>
      {on && <div className="border-l border-line-strong pt-1 pb-1 pl-4">{children}</div>}
    </div>
  );
}
