import { Search } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';

const PAUSE_MS = 250;

type Props = { label: string; onSearch: (q: string) => void };

/** Searches once the typing pauses. */
export function SearchField({ label, onSearch }: Props) {
  const [text, setText] = useState('');
  const search = useEffectEvent(onSearch);
  useEffect(() => {
    const timer = setTimeout(() => search(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label className="relative block w-full sm:w-72">
      <span className="sr-only">{label}</span>
      <Search className="absolute top-1/2 left-3 size-3.5 -translate-y-1/2 text-ink-3" aria-hidden="true" />
      <input
        type="search"
        placeholder={label}
        value={text}
        maxLength={254}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        className="h-11 w-full rounded-ctl border border-ink-3 bg-bg pr-3 pl-9 text-lg placeholder:text-ink-3 sm:h-10 sm:text-base"
      />
    </label>
  );
}
