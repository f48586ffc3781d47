import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

import { onComeback } from './comeback.ts';
import { ErrorState } from './states.tsx';

type Options<P> = {
  load: () => Promise<ComponentType<P>>;
  loading?: ReactNode;
  /** Holds the sentence with its Retry button. */
  frame?: (state: ReactNode) => ReactNode;
} & (
  | {
      /** Named in "… could not be loaded". */
      name: string;
      failed?: undefined;
    }
  | {
      name?: string;
      /** Shown instead of that sentence. */
      failed: (props: P) => ReactNode;
    }
);

/**
 * A component whose code comes when it is first shown. A server that is away costs this part only, never the page;
 * the code is asked for again by the button, and by itself when the server is back.
 */
export function part<P extends object>({
  name,
  load,
  loading = null,
  frame = (state) => state,
  failed,
}: Options<P>): ComponentType<P> {
  let known: ComponentType<P> | undefined;

  return function Part(props: P) {
    const [Loaded, setLoaded] = useState(() => known);
    const [attempt, setAttempt] = useState(0);
    const [missed, setMissed] = useState(-1);
    useEffect(() => {
      if (known) return undefined;
      let gone = false;
      load().then(
        (next) => {
          known = next;
          if (!gone) setLoaded(() => next);
        },
        () => {
          if (!gone) setMissed(attempt);
        },
      );
      return () => {
        gone = true;
      };
    }, [attempt]);

    const isMissing = !Loaded && missed >= attempt;
    useEffect(() => {
      if (!isMissing) return undefined;
      return onComeback(() => {
        load().then(
          (next) => {
            known = next;
            setLoaded(() => next);
          },
          () => {
            // The next comeback, or the button, asks again.
          },
        );
      });
    }, [isMissing]);

    if (Loaded) return <Loaded {...props} />;
    if (!isMissing) return loading;
    if (failed) return failed(props);
    return frame(<ErrorState message={`${name} could not be loaded`} onRetry={() => setAttempt(attempt + 1)} />);
  };
}
