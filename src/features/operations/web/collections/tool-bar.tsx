import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';

import { Button } from '#ui/button.tsx';
import { SearchBox } from '#ui/search-box.tsx';

type Props = {
  label: string;
  q: string;
  onSearch: (q: string) => void;
  raw: boolean;
  onRaw: (raw: boolean) => void;
  onRefresh: () => void;
  /** Stands before the search. */
  children?: ReactNode;
};

/** What is shown of stored records, and how. */
export function ToolBar({ label, q, onSearch, raw, onRaw, onRefresh, children }: Props) {
  return (
    <div role="search" className="card mb-3 flex flex-wrap items-center gap-2 p-3">
      {children}
      <SearchBox label={label} value={q} onSearch={onSearch} />
      <Button className="max-sm:h-10" onClick={() => onRaw(!raw)}>
        {raw ? 'Hide Raw' : 'Show Raw'}
      </Button>
      <Button className="max-sm:h-10 sm:ml-auto" onClick={onRefresh}>
        <RotateCw className="size-3.5" aria-hidden="true" />
        Refresh
      </Button>
    </div>
  );
}
