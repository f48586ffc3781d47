import { RotateCw } from 'lucide-react';

import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { SearchBox } from '#ui/search-box.tsx';
import { Segmented } from '#ui/segmented.tsx';

import type { AlertFilter, ChangeFilter } from './filter.ts';

const CHOICES = ['All', 'High', 'Medium', 'Low'] as const;
const VALUES = { All: 'all', High: 'high', Medium: 'medium', Low: 'low' } as const;
const NAMES = { all: 'All', high: 'High', medium: 'Medium', low: 'Low' } as const;

type Props = { filter: AlertFilter; onChange: ChangeFilter; busy: boolean; onRefresh: () => void };

export function AlertFilterBar({ filter, onChange, busy, onRefresh }: Props) {
  return (
    <div role="search" className="card mb-3 flex flex-wrap items-center gap-2 p-3">
      <SearchBox
        label="Search alerts"
        placeholder="Search alerts..."
        value={filter.search}
        onSearch={(search) => onChange({ search })}
      />
      <Segmented
        label="Severity"
        value={NAMES[filter.severity]}
        options={CHOICES}
        onChange={(name) => onChange({ severity: VALUES[name] })}
      />
      <label className="flex min-h-8 cursor-pointer items-center gap-2 px-1 text-sm font-medium">
        <input
          type="checkbox"
          checked={filter.acknowledged}
          onChange={(event) => onChange({ acknowledged: event.target.checked })}
          className="size-4 shrink-0 accent-(--accent)"
        />
        Show acknowledged
      </label>
      <Button className="ml-auto max-sm:h-10" aria-disabled={busy} onClick={() => !busy && onRefresh()}>
        <RotateCw className={cx('size-3.5', busy && 'animate-spin')} aria-hidden="true" />
        Refresh
      </Button>
    </div>
  );
}
