import { type ComponentType, useEffect, useState } from 'react';

import { attachToasts, type Toast } from './toast.ts';

type Shown = {
  toasts: readonly Toast[];
  /** Absent if its code could not be loaded. */
  Toaster?: ComponentType<{ toasts: readonly Toast[] }>;
};

export function ToastHost() {
  const [{ toasts, Toaster }, show] = useState<Shown>({ toasts: [] });
  useEffect(
    () =>
      attachToasts((next) => {
        const add = (more: Partial<Shown>) =>
          show(({ toasts: earlier, ...rest }) => ({ ...rest, ...more, toasts: [...earlier, next] }));
        import('./toaster.tsx').then(
          (library) => add({ Toaster: library.Toaster }),
          () => add({}),
        );
      }),
    [],
  );
  const last = toasts.at(-1);
  if (!last) return null;
  return Toaster ? <Toaster toasts={toasts} /> : <PlainToast key={toasts.length} toast={last} />;
}

/** The message that the server is unreachable must not need the server. */
function PlainToast({ toast: { message, durationMs } }: { toast: Toast }) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), durationMs);
    return () => clearTimeout(timer);
  }, [durationMs]);
  if (over) return null;
  return (
    <output className="fixed right-4 bottom-4 z-50 w-[22rem] max-w-[calc(100vw-2rem)] rounded-card border border-line-strong bg-surface px-4 py-3 text-sm font-medium text-ink floating">
      {message}
    </output>
  );
}
