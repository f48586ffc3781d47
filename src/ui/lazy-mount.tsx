import { type ReactNode, startTransition, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

type Props = {
  /** Holds the place, at the height the content will have. */
  frame: ReactNode;
  /** Waits for the place to be scrolled to, however long: for previews in long lists. */
  onScroll?: boolean;
  className?: string;
  children: ReactNode;
};

const LONGEST_WAIT_MS = 1000;

/** Runs when the browser has nothing else to do, after a second at the latest. */
export function whenIdle(run: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(run, { timeout: LONGEST_WAIT_MS });
  else setTimeout(run, LONGEST_WAIT_MS);
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

/** Runs once the page has settled and is idle, one after another. Returns what cancels it. */
function whenSettled(run: () => void): () => void {
  waiting.add(run);
  if (!isWaiting) setTimeout(() => whenIdle(next), Math.max(0, SETTLED_MS - performance.now()));
  isWaiting = true;
  return () => waiting.delete(run);
}

/**
 * Shows its children once the place comes near the screen, the page has settled, or it is to be printed, and keeps them:
 * captures of the full page, find-in-page and screen readers meet content, not frames.
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
    // The browser lays the page out for paper right after this event.
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
