import { use } from 'react';

import { age, dateTime } from '#shared/format.ts';
import { useNow } from '#ui/now.ts';
import { SourceNames } from '#ui/source-names.ts';

/** Display name of a source. */
export function SourceName({ source }: { source: string | null }) {
  const nameOf = use(SourceNames);
  return source === null ? '–' : nameOf(source);
}

/** Relative time, with the exact time in its title. */
export function Ago({ at }: { at: string | null }) {
  const now = useNow(60_000);
  if (at === null) return '–';
  return (
    <time dateTime={at} title={dateTime(Date.parse(at))}>
      {age(now - Date.parse(at))}
    </time>
  );
}
