import type { ReactNode } from 'react';

import { SearchBox } from '#ui/search-box.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { Select } from '#ui/select.tsx';

import {
  CATEGORY_CHOICES,
  type ChangeFilter,
  type Choices,
  type EventFilter,
  IMPACT_CHOICES,
  SORT_CHOICES,
  TIME_CHOICES,
} from './filter.ts';

const VIEWS = ['List', 'Calendar'] as const;

type Props = {
  filter: EventFilter;
  onChange: ChangeFilter;
  /** Additional controls for admins. */
  children?: ReactNode;
};

export function FilterBar({ filter, onChange, children }: Props) {
  const { category, impact, time, sort, view, search } = filter;
  return (
    <div role="search" className="card mb-3 flex flex-wrap items-center gap-2 p-3">
      <SearchBox
        label="Search events"
        placeholder="Search events..."
        value={search}
        onSearch={(text) => onChange({ search: text })}
      />
      <Choice
        label="Category"
        value={category}
        choices={CATEGORY_CHOICES}
        onChange={(next) => onChange({ category: next })}
      />
      <Choice label="Impact" value={impact} choices={IMPACT_CHOICES} onChange={(next) => onChange({ impact: next })} />
      <Choice label="Time" value={time} choices={TIME_CHOICES} onChange={(next) => onChange({ time: next })} />
      <Choice label="Sort" value={sort} choices={SORT_CHOICES} onChange={(next) => onChange({ sort: next })} />
      <Segmented
        label="View"
        value={view === 'list' ? 'List' : 'Calendar'}
        options={VIEWS}
        onChange={(next) => onChange({ view: next === 'List' ? 'list' : 'calendar' })}
        className="sm:ml-auto"
      />
      {children}
    </div>
  );
}

type ChoiceProps<T extends string> = {
  label: string;
  value: T;
  choices: Choices<T>;
  onChange: (value: T) => void;
};

function Choice<T extends string>({ label, value, choices, onChange }: ChoiceProps<T>) {
  return (
    <Select
      aria-label={label}
      className="max-sm:h-10 max-sm:grow max-sm:basis-[45%]"
      value={value}
      onText={(text) => {
        const chosen = choices.find(([each]) => each === text);
        if (chosen) onChange(chosen[0]);
      }}
    >
      {choices.map(([each, name]) => (
        <option key={each} value={each}>
          {name}
        </option>
      ))}
    </Select>
  );
}
