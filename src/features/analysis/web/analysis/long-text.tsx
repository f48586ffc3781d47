import { useState } from 'react';

import { cx } from '#ui/cx.ts';

type Props = { text: string; limit: number; of: string; className?: string };

/** A text cut at `limit` characters, with the rest on demand. */
export function LongText({ text, limit, of, className }: Props) {
  const [all, setAll] = useState(false);
  if (text.length <= limit) return <p className={cx('break-words', className)}>{text}</p>;
  return (
    <p className={cx('break-words', className)}>
      {all ? text : `${text.slice(0, limit).trimEnd()}\u2026`}{' '}
      <button
        type="button"
        aria-expanded={all}
        onClick={() => setAll(!all)}
        className="relative font-medium text-accent after:absolute after:-inset-x-2 after:-inset-y-1.5 hover:underline"
      >
        {all ? 'less' : 'more'}
        <span className="sr-only"> of {of}</span>
      </button>
    </p>
  );
}
