import { SearchBox } from '#ui/search-box.tsx';
import { Select } from '#ui/select.tsx';

import { ACTIONS } from './audit-words.ts';

export type AuditFilter = { action: string; actor: string; subject: string; from: string; to: string };
export const NO_FILTER: AuditFilter = { action: '', actor: '', subject: '', from: '', to: '' };

/** As long as an address can be. */
const LONGEST_SEARCH = 254;
const DAY = 'h-8.5 max-w-60 min-w-0 rounded-ctl border border-ink-3/75 bg-surface px-2 text-sm font-medium max-sm:h-11';

type Props = { filter: AuditFilter; onChange: (change: Partial<AuditFilter>) => void };

export function AuditFilterBar({ filter: { action, actor, subject, from, to }, onChange }: Props) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 pt-1 pb-3">
      <SearchBox
        label="Actor: email or id"
        value={actor}
        longest={LONGEST_SEARCH}
        onSearch={(text) => onChange({ actor: text })}
      />
      <SearchBox
        label="Subject: email or id"
        value={subject}
        longest={LONGEST_SEARCH}
        onSearch={(text) => onChange({ subject: text })}
      />
      <Select
        aria-label="Action"
        value={action}
        onText={(text) => onChange({ action: text })}
        className="h-8.5 max-sm:h-11"
      >
        <option value="">All actions</option>
        {Object.entries(ACTIONS).map(([noun, { noun: name, acts }]) => (
          <optgroup key={noun} label={name}>
            {Object.keys(acts).length > 1 && <option value={noun}>{name}: all</option>}
            {Object.entries(acts).map(([act, words]) => (
              <option key={act} value={`${noun}.${act}`}>
                {words}
              </option>
            ))}
          </optgroup>
        ))}
      </Select>
      <div className="flex flex-wrap gap-x-4 gap-y-2">
        <Day label="From" value={from} max={to} onChange={(day) => onChange({ from: day })} />
        <Day label="To" value={to} min={from} onChange={(day) => onChange({ to: day })} />
      </div>
    </div>
  );
}

type DayProps = { label: string; value: string; min?: string; max?: string; onChange: (day: string) => void };

/** A UTC day. */
function Day({ label, value, onChange, ...bounds }: DayProps) {
  return (
    <label className="flex items-center gap-2 text-sm">
      {label}
      <input
        type="date"
        aria-label={`${label} (UTC)`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={DAY}
        {...bounds}
      />
    </label>
  );
}
