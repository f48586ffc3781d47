import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { LazyMount } from './lazy-mount.tsx';

/** Nothing is ever near the screen. */
class NeverSeen {
  observe(): void {}
  disconnect(): void {}
}

let idle: (() => void)[] = [];
beforeEach(() => {
  idle = [];
  vi.stubGlobal('IntersectionObserver', NeverSeen);
  vi.stubGlobal('requestIdleCallback', (run: () => void, { timeout }: { timeout: number }) => {
    expect(timeout).toBeLessThanOrEqual(1000);
    return idle.push(run);
  });
  vi.stubGlobal('cancelIdleCallback', () => {});
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const show = (onScroll = false) =>
  render(
    <LazyMount frame="Loading" onScroll={onScroll}>
      Content
    </LazyMount>,
  );

test('content far below the screen is shown once the page is idle', () => {
  show();
  expect(screen.getByText('Loading')).toBeDefined();
  act(() => idle.forEach((run) => run()));
  expect(screen.getByText('Content')).toBeDefined();
});

test('content far below the screen is shown before the page is printed, in a long list too', () => {
  show(true);
  expect(idle).toEqual([]);
  act(() => void dispatchEvent(new Event('beforeprint')));
  expect(screen.getByText('Content')).toBeDefined();
});
