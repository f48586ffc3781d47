import { useEffect, useRef } from 'react';
import { Toaster as Sonner, toast as show } from 'sonner';

import type { Toast } from './toast.ts';

/** Loaded with the first toast; each of `toasts` is shown once, including those from before it loaded. */
export function Toaster({ toasts }: { toasts: readonly Toast[] }) {
  const seen = useRef(0);
  useEffect(() => {
    for (const { kind, message, durationMs } of toasts.slice(seen.current))
      show[kind](message, { duration: durationMs });
    seen.current = toasts.length;
  }, [toasts]);
  return (
    <Sonner
      position="bottom-right"
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            'font-sans flex w-[22rem] max-w-[calc(100vw-2rem)] items-center gap-2.5 rounded-card border border-line-strong bg-surface px-4 py-3 text-sm font-medium text-ink floating',
          success: '[&_[data-icon]]:text-up',
          error: '[&_[data-icon]]:text-down',
          warning: '[&_[data-icon]]:text-warn',
          info: '[&_[data-icon]]:text-accent',
        },
      }}
    />
  );
}
