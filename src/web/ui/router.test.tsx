// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test } from 'vitest';

import { MemoryRouter } from '#web/testing/memory-router.tsx';

import { Link } from './link.tsx';
import { Navigate, Route, Routes, useLocation } from './router.tsx';

afterEach(cleanup);

function Address() {
  const { pathname, search, hash, way } = useLocation();
  return <output>{`${way} ${pathname}${search}${hash}`}</output>;
}

function show(at: string) {
  return render(
    <MemoryRouter at={at}>
      <Address />
      <Link to="?by=name">By name</Link>
      <Link to="?">By nothing</Link>
      <Link to="#top">Top</Link>
      <main>
        <Routes under="/app">
          <Route path="events" element="Events" />
          <Route path="old" element={<Navigate to="/app/events?from=old" replace />} />
          {['alerts', 'history'].map((path) => (
            <Route key={path} path={path} element={path} />
          ))}
          <Route path="*" element="Nothing" />
        </Routes>
      </main>
    </MemoryRouter>,
  );
}

const page = () => screen.getByRole('main').textContent;
const address = () => screen.getByRole('status').textContent;

describe('an address', () => {
  test.each([
    ['/app/events', 'Events'],
    ['/app/events/?day=1#top', 'Events'],
    ['/APP/Events', 'Events'],
    ['/app/history', 'history'],
    ['/app/events/more', 'Nothing'],
    ['/app/event', 'Nothing'],
    ['/app/', 'Nothing'],
  ])('%s shows its page', (at, text) => {
    show(at);
    expect(page()).toBe(text);
  });

  test('that has moved gives its place to the other one', async () => {
    show('/app/old');
    expect([await screen.findByText('Events'), address()]).toEqual([
      screen.getByRole('main'),
      'REPLACE /app/events?from=old',
    ]);
  });

  test('of which a link names a part only keeps the page', async () => {
    show('/app/events?by=date#list');
    const press = (name: string) => userEvent.click(screen.getByRole('link', { name }));
    const shown: unknown[] = [];
    for (const name of ['By name', 'Top', 'By name', 'By nothing']) {
      await press(name);
      shown.push(address());
    }
    expect(shown).toEqual([
      'PUSH /app/events?by=name',
      'PUSH /app/events#top',
      'PUSH /app/events?by=name',
      'PUSH /app/events',
    ]);
  });
});
