import { type ComponentType, lazy, type ReactNode, startTransition, useEffect, useState } from 'react';

import { onReconnect } from './reconnect.ts';
import { ErrorState } from './states.tsx';

type Options<P> = {
  load: () => Promise<ComponentType<P>>;
  loading?: ReactNode;
  /** Props for which `loading` is shown although the code is loaded. */
  waits?: (props: P) => boolean;
  /** Wraps the error message and its Retry button. */
  frame?: (state: ReactNode) => ReactNode;
  /** Suspends while the code loads, so that a navigation keeps the previous page until this one can be rendered. */
  suspends?: boolean;
} & (
  | {
      /** Used in "… could not be loaded". */
      name: string;
      failed?: undefined;
    }
  | {
      name?: string;
      /** Shown instead of that sentence. */
      failed: (props: P) => ReactNode;
    }
);

/** With `ready`, which the server awaits before rendering the part. */
export type Part<P> = ComponentType<P> & { ready: () => Promise<void> };

/**
 * A component whose code is loaded when it is first shown. If the server is unreachable, only this part fails, never
 * the page; the button retries loading the code, and so does a reconnect.
 */
export function part<P extends object>({
  name,
  load,
  loading = null,
  waits,
  frame = (state) => state,
  suspends = false,
  failed,
}: Options<P>): Part<P> {
  let known: ComponentType<P> | undefined;
  const ready = async () => {
    known ??= await load();
  };

  function Shown(props: P) {
    const [Loaded, setLoaded] = useState(() => known);
    const [attempt, setAttempt] = useState(0);
    const [missed, setMissed] = useState(-1);
    useEffect(() => {
      if (known) return undefined;
      let isUnmounted = false;
      load().then(
        (next) => {
          known = next;
          if (!isUnmounted) startTransition(() => setLoaded(() => next));
        },
        () => {
          if (!isUnmounted) setMissed(attempt);
        },
      );
      return () => {
        isUnmounted = true;
      };
    }, [attempt]);

    const isMissing = !Loaded && missed >= attempt;
    useEffect(() => {
      if (!isMissing) return undefined;
      return onReconnect(() => {
        load().then(
          (next) => {
            known = next;
            setLoaded(() => next);
          },
          () => {
            // The next reconnect, or the button, retries.
          },
        );
      });
    }, [isMissing]);

    if (Loaded && !waits?.(props)) {
      const shown = <Loaded {...props} />;
      // Rendered by the server, it is wrapped in the element that keeps it: see Drawn.
      return import.meta.env.SSR && waits ? (
        <div className="contents" data-kept="">
          {shown}
        </div>
      ) : (
        shown
      );
    }
    if (!isMissing) return loading;
    if (failed) return failed(props);
    return frame(<ErrorState message={`${name} could not be loaded`} onRetry={() => setAttempt(attempt + 1)} />);
  }

  if (!suspends) return Object.assign(Shown, { ready });
  // A failed load is retried by the component, which shows the error.
  const Suspending = lazy(async () => {
    await ready().catch(() => {});
    return { default: Shown };
  });
  function Page(props: P) {
    const [Type] = useState<ComponentType<P>>(() => (known ? Shown : Suspending));
    return <Type {...props} />;
  }
  return Object.assign(Page, { ready });
}
