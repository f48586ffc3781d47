import { render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';

import { ErrorBoundary } from './error-boundary.tsx';

afterEach(() => {
  vi.restoreAllMocks();
});

test('a render error is shown in place and reported', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const heard: unknown[] = [];
  const hear = (event: Event) => void heard.push((event as CustomEvent).detail);
  addEventListener('broken', hear);
  const failure = new Error('no price');
  const Broken = (): never => {
    throw failure;
  };
  render(
    <ErrorBoundary name="Crypto Prices">
      <Broken />
    </ErrorBoundary>,
  );
  removeEventListener('broken', hear);
  expect(screen.getByRole('alert').textContent).toContain('Crypto Prices could not be shown');
  expect(heard).toEqual([failure]);
});
