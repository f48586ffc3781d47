import { Search } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';

const DEBOUNCE_MS = 250;
const MAX_LENGTH = 100;

type Props = {
  label: string;
  placeholder?: string;
  value: string;
  longest?: number;
  onSearch: (text: string) => void;
};

/** Searches once typing pauses. A value set from outside wins; text being typed is left unchanged. */
export function SearchBox({ label, placeholder = label, value, longest = MAX_LENGTH, onSearch }: Props) {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  const [written, setWritten] = useState(value);
  if (value !== seen) {
    setSeen(value);
    if (value !== written) setText(value);
  }
  const write = useEffectEvent((next: string) => {
    if (next === value) return;
    setWritten(next);
    onSearch(next);
  });
  useEffect(() => {
    const timer = setTimeout(() => write(text.trim()), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label className="relative block w-full sm:w-72">
      <span className="sr-only">{label}</span>
      <Search className="absolute top-1/2 left-3 size-3.5 -translate-y-1/2 text-ink-3" aria-hidden="true" />
      <input
        type="search"
        placeholder={placeholder}
        value={text}
        maxLength={longest}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        className="h-11 w-full rounded-ctl border border-ink-3/75 bg-bg pr-3 pl-9 text-lg placeholder:text-ink-3 sm:h-8.5 sm:text-sm"
      />
    </label>
  );
}
