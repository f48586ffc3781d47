import type { ReactNode } from 'react';

import { CopyButton } from './copy-button.tsx';
import { cx } from './cx.ts';

/** Inline code. */
export const CODE = 'rounded-chip bg-raised px-1 py-0.5 font-mono text-xs';

type Props = {
  /** Shown above it. */
  head: ReactNode;
  label: string;
  /** The text displayed. */
  text: string;
  /** The text to copy, if it is more than the text displayed. */
  whole?: string;
  /** Its name in the message after copying. */
  what: string;
  tall?: boolean;
  /** Wraps long lines instead of scrolling. */
  wrap?: boolean;
};

/** A scrollable code block with a copy button. */
export function CodeBlock({ head, label, text, whole = text, what, tall = false, wrap = false }: Props) {
  return (
    <div className="min-w-0 overflow-hidden rounded-ctl bg-raised">
      <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line py-1.5 pr-2 pl-3">
        {head}
        <CopyButton text={whole} what={what} />
      </div>
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keys
        tabIndex={0}
        role="region"
        aria-label={label}
        className={cx(
          'overflow-auto p-3 font-mono text-xs leading-5 text-ink',
          wrap && 'break-all whitespace-pre-wrap',
        )}
        style={tall ? { maxHeight: '26rem' } : undefined}
      >
        {text}
      </pre>
    </div>
  );
}
