import { fireEvent, render, screen } from '@testing-library/react';
import { act, Suspense, use } from 'react';
import { useLocation } from 'react-router';
import { beforeEach, expect, test } from 'vitest';

import { BrowserRouter } from '#app/web/browser-router.tsx';
import { useAddressChoice, useAddressFilter, useAddressFlag } from './address-filter.ts';

type Filter = { coin: string; days: string };
const parse = (params: URLSearchParams): Filter => ({
  coin: params.get('coin') ?? 'BTC',
  days: params.get('days') ?? '7',
});
const write = (params: URLSearchParams, filter: Filter): URLSearchParams => {
  for (const [name, text] of Object.entries(filter)) params.set(name, text);
  return params;
};

const WINDOWS = ['30 days', '90 days'] as const;

function Choices() {
  const [{ coin, days }, change] = useAddressFilter(parse, write);
  const [window, choose] = useAddressChoice('window', WINDOWS, '90 days');
  const [isRaw, setRaw] = useAddressFlag('raw');
  return (
    <>
      <button onClick={() => change({ coin: 'ETH' })}>{`coin ${coin}`}</button>
      <button onClick={() => change({ days: '30' })}>{`days ${days}`}</button>
      <button onClick={() => choose(window === '30 days' ? '90 days' : '30 days')}>{`window ${window}`}</button>
      <button onClick={() => setRaw(!isRaw)}>{`raw ${isRaw}`}</button>
      <button
        onClick={() => {
          change({ coin: 'SOL' });
          change({ days: '90' });
        }}
      >
        both
      </button>
    </>
  );
}

/** A page that loads slowly at every new address. */
let arrives: Promise<void>;
let arrive: () => void;
function Slow() {
  if (useLocation().search !== '') use(arrives);
  return null;
}

beforeEach(async () => {
  history.replaceState(null, '', '/here');
  ({ promise: arrives, resolve: arrive } = Promise.withResolvers<void>());
  await act(() =>
    render(
      <BrowserRouter>
        <Suspense>
          <Choices />
          <Slow />
        </Suspense>
      </BrowserRouter>,
    ),
  );
});
const press = (name: string) => act(() => fireEvent.click(screen.getByRole('button', { name })));

test('retains two choices made before the page updates, on the page and in the URL', async () => {
  await press('coin BTC');
  await press('days 7');
  expect(screen.getByRole('button', { name: 'coin ETH' })).toBeDefined();
  expect(location.search).toBe('?coin=ETH&days=30');
  await act(async () => arrive());
  expect(screen.getByRole('button', { name: 'coin ETH' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'days 30' })).toBeDefined();
});

test('retains two simultaneous choices', async () => {
  await press('both');
  expect(location.search).toBe('?coin=SOL&days=90');
  await act(async () => arrive());
  expect(screen.getByRole('button', { name: 'coin SOL' })).toBeDefined();
});

test('after a navigation, the next choice starts from the new URL', async () => {
  arrive();
  await press('coin BTC');
  await go('/here?coin=XRP&days=1');
  await press('days 1');
  expect(location.search).toBe('?coin=XRP&days=30');
});

const go = (address: string) =>
  act(async () => {
    history.replaceState(null, '', address);
    dispatchEvent(new PopStateEvent('popstate'));
  });

test('a default sets no parameter, and an unknown value counts as the default', async () => {
  arrive();
  await press('window 90 days');
  await press('raw false');
  expect(location.search).toBe('?window=30-days&raw=1');
  await press('window 30 days');
  await press('raw true');
  expect(location.search).toBe('');
  await go('/here?window=forever&raw=yes');
  expect(screen.getByRole('button', { name: 'window 90 days' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'raw false' })).toBeDefined();
});

test('retains choices in two parts of a page before the page updates', async () => {
  await press('coin BTC');
  await press('window 90 days');
  await press('raw false');
  expect(location.search).toBe('?coin=ETH&days=7&window=30-days&raw=1');
  await act(async () => arrive());
  expect(screen.getByRole('button', { name: 'window 30 days' })).toBeDefined();
});
