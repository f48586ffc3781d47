import type { ComponentType } from 'react';

import { part } from '#web/ui/part.tsx';

/** A page whose code comes when it is opened; its heading stands from the first view. */
export const latePage = <P extends object = object>(
  name: string,
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> =>
  part<P>({
    name,
    load,
    loading: (
      <div className="min-h-dvh">
        <h1 className="sr-only">{name}</h1>
      </div>
    ),
  });
