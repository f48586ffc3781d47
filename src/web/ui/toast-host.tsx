import { lazy, Suspense, useEffect, useState } from 'react';

import { attachToasts, type Toast } from './toast.ts';

const Toaster = lazy(() => import('./toaster.tsx').then((m) => ({ default: m.Toaster })));

async function later(next: Toast): Promise<void> {
  const { showToast } = await import('./toaster.tsx');
  showToast(next);
}

export function ToastHost() {
  const [first, setFirst] = useState<readonly Toast[] | null>(null);
  useEffect(
    () =>
      attachToasts((next) => {
        setFirst((earlier) => {
          if (earlier === null) return [next];
          void later(next);
          return earlier;
        });
      }),
    [],
  );
  return (
    first && (
      <Suspense>
        <Toaster first={first} />
      </Suspense>
    )
  );
}
