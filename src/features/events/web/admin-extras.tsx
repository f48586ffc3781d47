import { useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useEffect, useState } from 'react';

import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';

import type { ChangeFilter, EventFilter } from './filter.ts';

const REFETCH_AFTER_MS = 100;

/** The setting, a tenth of a second later; the events are refetched with it. */
export function useIgnored(asked: boolean): boolean {
  const queries = useQueryClient();
  const [taken, take] = useState(asked);
  useEffect(() => {
    if (asked === taken) return undefined;
    const timer = setTimeout(() => {
      take(asked);
      void queries.invalidateQueries({ queryKey: ['events'] });
    }, REFETCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [asked, taken, queries]);
  return taken && asked;
}

type Props = { filter: EventFilter; onChange: ChangeFilter; busy: boolean };

export function AdminExtras({ filter, onChange, busy }: Props) {
  const queries = useQueryClient();
  return (
    <div className="flex w-full flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-2">
      <label className="flex min-h-8 cursor-pointer items-center gap-2 text-sm font-medium">
        <input
          type="checkbox"
          checked={filter.ignored}
          onChange={(event) => onChange({ ignored: event.target.checked })}
          className="size-4 shrink-0 accent-(--accent)"
        />
        Show Ignored Events
      </label>
      <Button
        className="ml-auto max-sm:h-10"
        aria-disabled={busy}
        onClick={() => !busy && void queries.invalidateQueries({ queryKey: ['events'] })}
      >
        <RotateCw className={cx('size-3.5', busy && 'animate-spin')} aria-hidden="true" />
        Refresh
      </Button>
    </div>
  );
}
