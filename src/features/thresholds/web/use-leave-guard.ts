import { useEffect, useState } from 'react';

import { guardPage } from '#web/ui/leaving.ts';

type Asked = { leave: () => void; stay: () => void };

/** While `on`, nobody leaves the page without being asked: by a link, by Back, or by closing it. Null while nobody wants to. */
export function useLeaveGuard(on: boolean): Asked | null {
  const [go, setGo] = useState<(() => void) | null>(null);
  useEffect(() => {
    if (!on) return undefined;
    const free = guardPage((next) =>
      setGo(() => () => {
        free();
        next();
      }),
    );
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', onUnload);
    return () => {
      free();
      removeEventListener('beforeunload', onUnload);
    };
  }, [on]);
  if (!go) return null;
  return {
    stay: () => setGo(null),
    leave: () => {
      setGo(null);
      go();
    },
  };
}
