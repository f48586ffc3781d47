import { act, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';

import { LazyMount } from './lazy-mount.tsx';

/** No element ever intersects the viewport. */
class NeverSeen {
  observe(): void {}
  disconnect(): void {}
}

let idle: (() => void)[] = [];
beforeEach(() => {
  idle = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('IntersectionObserver', NeverSeen);
  vi.stubGlobal('requestIdleCallback', (run: () => void, { timeout }: { timeout: number }) => {
    expect(timeout).toBeLessThanOrEqual(1000);
    return idle.push(run);
  });
});
const show = (onScroll = false) =>
  render(
    <LazyMount frame="Loading" onScroll={onScroll}>
      Content
    </LazyMount>,
  );

test('mounts offscreen content once the page has settled, one per idle period', async () => {
  show();
  show();
  expect(idle).toEqual([]);
  vi.advanceTimersByTime(3000);
  for (const shown of [1, 2]) {
    await act(async () => idle.shift()?.());
    expect([screen.queryAllByText('Content').length, screen.queryAllByText('Loading').length]).toEqual([
      shown,
      2 - shown,
    ]);
  }
});

test('mounts offscreen content before the page is printed, in a long list too', () => {
  show(true);
  expect(idle).toEqual([]);
  act(() => void dispatchEvent(new Event('beforeprint')));
  expect(screen.getByText('Content')).toBeDefined();
});
