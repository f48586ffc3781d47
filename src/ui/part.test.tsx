import { QueryClient } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, Suspense, startTransition, useEffect, useState } from 'react';
import { describe, expect, test, vi } from 'vitest';

import { handle } from '#app/web/live.ts';

import { part } from './part.tsx';
import { toast } from './toast.ts';
import { ToastHost } from './toast-host.tsx';

describe('a lazily loaded part', () => {
  test('shows its skeleton, then itself, and appears immediately next time', async () => {
    const load = vi.fn(async () => ({ word }: { word: string }) => <p>{word}</p>);
    const Late = part<{ word: string }>({ name: 'The word', load, loading: <p>Loading</p> });
    const first = render(<Late word="one" />);
    expect(screen.getByText('Loading')).toBeDefined();
    expect(await screen.findByText('one')).toBeDefined();
    first.unmount();
    render(<Late word="two" />);
    expect(screen.getByText('two')).toBeDefined();
    expect(load).toHaveBeenCalledTimes(1);
  });

  /** Code that cannot be loaded until the server is back. */
  function lateCode() {
    const server = { away: true };
    const load = vi.fn(async () => {
      if (server.away) throw new TypeError('Failed to fetch dynamically imported module');
      return () => <p>here</p>;
    });
    return { server, load };
  }

  test.each([
    ['part', false],
    ['page, which suspends,', true],
  ])('an unreachable server affects the %s only, and Retry loads it', async (_, suspends) => {
    const { server, load } = lateCode();
    const Late = part({ name: 'The detail', load, suspends });
    render(
      <>
        <p>the rest</p>
        <Suspense>
          <Late />
        </Suspense>
      </>,
    );
    expect(await screen.findByText('The detail could not be loaded')).toBeDefined();
    expect(screen.getByText('the rest')).toBeDefined();
    server.away = false;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('here')).toBeDefined();
  });

  test('a page that suspends: navigation keeps the previous page until the code arrives', async () => {
    const code = Promise.withResolvers<() => ReactNode>();
    const Next = part({ name: 'The next page', load: () => code.promise, suspends: true });
    let go: (to: string) => void = () => {};
    function Pages() {
      const [at, setAt] = useState('first');
      useEffect(() => {
        go = (to) => startTransition(() => setAt(to));
      }, []);
      return <Suspense fallback={<p>blank</p>}>{at === 'first' ? <p>the first page</p> : <Next />}</Suspense>;
    }
    render(<Pages />);
    await act(async () => go('next'));
    expect(screen.getByText('the first page')).toBeDefined();
    code.resolve(() => <p>the next page</p>);
    expect(await screen.findByText('the next page')).toBeDefined();
    expect(screen.queryByText('the first page')).toBeNull();
  });

  test('loads without the button once the server is back; while it is down the message remains', async () => {
    const { server, load } = lateCode();
    const Late = part({ name: 'The detail', load });
    render(<Late />);
    const sentence = await screen.findByText('The detail could not be loaded');
    // It listens for reconnects once its effects have run.
    await act(async () => undefined);
    const queries = new QueryClient();
    act(() => handle(queries, { name: 'poll', data: '' }, true));
    await waitFor(() => expect(load).toHaveBeenCalledTimes(2));
    expect(sentence.isConnected).toBe(true);
    server.away = false;
    act(() => handle(queries, { name: 'back', data: '' }, false));
    expect(await screen.findByText('here')).toBeDefined();
    act(() => handle(queries, { name: 'live', data: '' }, false));
    expect(load).toHaveBeenCalledTimes(3);
  });
});

test('a message is shown through the toast library', async () => {
  render(<ToastHost />);
  act(() => toast('info', 'First'));
  expect(await screen.findByText('First')).toBeDefined();
  act(() => toast('info', 'Second'));
  expect(await screen.findByText('Second')).toBeDefined();
});
