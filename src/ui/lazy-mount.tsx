import { type ReactNode, startTransition, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

type Props = {
  /** Placeholder with the height of the content. */
  frame: ReactNode;
  /** Mounts only when scrolled near: for previews in long lists. */
  onScroll?: boolean;
  className?: string;
  children: ReactNode;
};

const MAX_IDLE_WAIT_MS = 1000;

/** Runs when the browser is idle, after a second at the latest. */
export function whenIdle(run: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(run, { timeout: MAX_IDLE_WAIT_MS });
  else setTimeout(run, MAX_IDLE_WAIT_MS);
}

/** Content on the screen and the first input take precedence over content below it. */
const SETTLED_MS = 3000;

const waiting = new Set<() => void>();
let isWaiting = false;

/** One at a time, so that input never waits for all of them. */
function next(): void {
  const [run] = waiting;
  isWaiting = run !== undefined;
  if (!run) return;
  waiting.delete(run);
  startTransition(run);
  whenIdle(next);
}

/** Runs once the page has settled and is idle, one after another. Returns a function that cancels it. */
function whenSettled(run: () => void): () => void {
  waiting.add(run);
  if (!isWaiting) setTimeout(() => whenIdle(next), Math.max(0, SETTLED_MS - performance.now()));
  isWaiting = true;
  return () => waiting.delete(run);
}

/**
 * Mounts its children once they are near the viewport, the page has settled, or it is printed, and keeps them mounted,
 * so that full-page captures, find-in-page and screen readers find content instead of placeholders.
 */
export function LazyMount({ frame, onScroll = false, className, children }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (near || !place.current) return undefined;
    const show = () => setNear(true);
    const watcher = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) show();
      },
      { rootMargin: '500px' },
    );
    watcher.observe(place.current);
    // The browser computes the print layout right after this event.
    const print = () => flushSync(show);
    addEventListener('beforeprint', print);
    const stopWaiting = onScroll ? undefined : whenSettled(show);
    return () => {
      watcher.disconnect();
      removeEventListener('beforeprint', print);
      stopWaiting?.();
    };
  }, [near, onScroll]);
  return (
    <div ref={place} className={className}>
      {near ? children : frame}
    </div>
  );
}
