import { Search } from 'lucide-react';

import { Empty } from '#ui/states.tsx';

export type SearchProps = { words: string; onChange: (words: string) => void };

export function ListSearch({ words, onChange }: SearchProps) {
  return (
    <label className="relative mx-4 mb-2 block sm:max-w-80">
      <span className="sr-only">Search coins</span>
      <Search className="absolute top-2.5 left-2.5 size-3.5 text-ink-3" aria-hidden="true" />
      <input
        type="search"
        value={words}
        onChange={(event) => onChange(event.target.value)}
        placeholder="Search by name or symbol"
        className="h-8.5 w-full rounded-ctl border border-ink-3/60 bg-bg pr-2.5 pl-8 text-base placeholder:text-ink-3 sm:text-sm"
      />
    </label>
  );
}

export function NothingListed({ words }: Pick<SearchProps, 'words'>) {
  if (words) return <Empty title={`No coins match “${words}”`} />;
  return <Empty title="No coins on your watchlist" note="Select the star beside a coin to add it." />;
}
