import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLayoutEffect } from 'react';
import { Route, Routes, useLocation, useNavigationType } from 'react-router';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { guardPage } from '#ui/leaving.ts';
import { Link, NavLink } from '#ui/link.tsx';
import { useSearchParams } from '#ui/search-params.ts';

import { BrowserRouter } from './browser-router.tsx';

beforeEach(() => history.replaceState(null, '', '/app'));
afterEach(cleanup);

function Words() {
  const [params, change] = useSearchParams();
  const set = (replace: boolean) => () =>
    change((old) => {
      old.set('coin', 'bitcoin');
      return old;
    }, !replace);
  return (
    <>
      <output aria-label="Coin">{params.get('coin') ?? 'none'}</output>
      <button type="button" onClick={set(false)}>
        Choose
      </button>
      <button type="button" onClick={set(true)}>
        Choose in its place
      </button>
    </>
  );
}

function Shown() {
  const { pathname, search, hash } = useLocation();
  const way = useNavigationType();
  return (
    <>
      <output aria-label="Shown">{pathname + search + hash}</output>
      <output aria-label="Way">{way}</output>
    </>
  );
}

const active = ({ isActive }: { isActive: boolean }) => (isActive ? 'here' : 'elsewhere');

function show(onClick?: (event: React.MouseEvent) => void) {
  render(
    <BrowserRouter>
      <Shown />
      <Link to="/app/sources?by=name#top" onClick={onClick}>
        Sources
      </Link>
      <Link to="?auth=register">Join</Link>
      <Link to="/app/contact" replace>
        Contact
      </Link>
      <NavLink to="/app" end className={active}>
        Dashboard
      </NavLink>
      <NavLink to="/app/sources" className={active}>
        All sources
      </NavLink>
      <Routes>
        <Route path="/app/*" element={<Words />} />
      </Routes>
    </BrowserRouter>,
  );
}

const shown = () => screen.getByLabelText('Shown').textContent;
const link = (name: string) => screen.getByRole('link', { name });
const press = (name: string) =>
  userEvent.click(screen.getByRole(name.startsWith('Choose') ? 'button' : 'link', { name }));

describe('link', () => {
  test('navigates without loading the page: address and page agree', async () => {
    show();
    expect(link('Sources').getAttribute('href')).toBe('/app/sources?by=name#top');
    await press('Sources');
    expect(shown()).toBe('/app/sources?by=name#top');
    expect(location.pathname + location.search + location.hash).toBe('/app/sources?by=name#top');
  });

  test('a bare question mark stays on the page', async () => {
    show();
    expect(link('Join').getAttribute('href')).toBe('/app?auth=register');
    await press('Join');
    expect(shown()).toBe('/app?auth=register');
  });

  test('adds one entry to the history; the same address again, or `replace`, adds none', async () => {
    show();
    const before = history.length;
    await press('Sources');
    expect(history.length).toBe(before + 1);
    await press('Sources');
    await press('Contact');
    expect([history.length, shown()]).toEqual([before + 1, '/app/contact']);
  });

  test.each([
    ['the control key', { ctrlKey: true }],
    ['the command key', { metaKey: true }],
    ['the shift key', { shiftKey: true }],
    ['the alt key', { altKey: true }],
    ['the middle button', { button: 1 }],
  ])('leaves clicks with %s to the browser', (_, how) => {
    show();
    const event = new MouseEvent('click', { bubbles: true, cancelable: true, ...how });
    let kept: boolean | undefined;
    const afterTheLink = () => {
      kept = event.defaultPrevented;
      event.preventDefault();
    };
    document.addEventListener('click', afterTheLink, { once: true });
    fireEvent(link('Sources'), event);
    expect([kept, shown()]).toEqual([false, '/app']);
  });

  test('a listener can cancel navigation', async () => {
    show((event) => event.preventDefault());
    await press('Sources');
    expect(shown()).toBe('/app');
  });

  test('a link to the current page is marked as such', async () => {
    show();
    expect([link('Dashboard').className, link('Dashboard').getAttribute('aria-current')]).toEqual(['here', 'page']);
    expect([link('All sources').className, link('All sources').getAttribute('aria-current')]).toEqual([
      'elsewhere',
      null,
    ]);
    await press('Sources');
    expect([link('Dashboard').className, link('All sources').className]).toEqual(['elsewhere', 'here']);
  });
});

test('a page knows how it was reached: by link, by replacement or by the browser itself', async () => {
  show();
  const way = () => screen.getByLabelText('Way').textContent;
  const ways = [way()];
  await press('Sources');
  ways.push(way());
  await press('Contact');
  ways.push(way());
  act(() => {
    dispatchEvent(new PopStateEvent('popstate'));
  });
  expect([...ways, way()]).toEqual(['POP', 'PUSH', 'REPLACE', 'POP']);
});

describe('URL parameters', () => {
  test('are read and changed, as a new entry or by replacement', async () => {
    show();
    const before = history.length;
    await press('Choose in its place');
    expect([screen.getByLabelText('Coin').textContent, history.length]).toEqual(['bitcoin', before]);
    await press('Choose');
    expect([shown(), history.length]).toEqual(['/app?coin=bitcoin', before + 1]);
  });

  test('the back button restores the previous value', async () => {
    show();
    await press('Sources');
    act(() => {
      history.replaceState(null, '', '/app?coin=solana');
      dispatchEvent(new PopStateEvent('popstate'));
    });
    expect(shown()).toBe('/app?coin=solana');
    expect(screen.getByLabelText('Coin').textContent).toBe('solana');
  });
});

describe('a guarded page', () => {
  let held: (() => void)[] = [];
  let free = () => {};
  beforeEach(() => {
    held = [];
    free = guardPage((go) => held.push(go));
  });
  afterEach(() => free());
  const leave = () =>
    act(() => {
      free();
      held[0]?.();
    });

  test('is not left by a link until the guard allows it', async () => {
    show();
    await press('Sources');
    expect([shown(), location.pathname, held.length]).toEqual(['/app', '/app', 1]);
    leave();
    expect([shown(), location.pathname]).toEqual(['/app/sources?by=name#top', '/app/sources']);
  });

  test('is not left by replacement', async () => {
    show();
    await press('Contact');
    expect([shown(), held.length]).toEqual(['/app', 1]);
  });

  test('remains, with its address, when the browser goes back', () => {
    history.replaceState('kept', '', '/app?coin=solana');
    show();
    act(() => {
      history.replaceState(null, '', '/elsewhere');
      dispatchEvent(new PopStateEvent('popstate'));
    });
    expect([shown(), location.pathname + location.search, history.state]).toEqual([
      '/app?coin=solana',
      '/app?coin=solana',
      'kept',
    ]);
    expect(held.length).toBe(1);
  });

  test('changes its own parameters as usual', async () => {
    show();
    await press('Join');
    await press('Choose');
    act(() => {
      history.replaceState(null, '', '/app?coin=solana');
      dispatchEvent(new PopStateEvent('popstate'));
    });
    expect([shown(), held.length]).toEqual(['/app?coin=solana', 0]);
  });
});

test('a Back before the router listens is followed once it does', async () => {
  history.replaceState(null, '', '/app/terms');
  // Effects of a child run before those of the router.
  function Leaves() {
    useLayoutEffect(() => history.replaceState(null, '', '/app'), []);
    return <Shown />;
  }
  render(
    <BrowserRouter>
      <Leaves />
    </BrowserRouter>,
  );
  await waitFor(() => expect(screen.getByLabelText('Shown').textContent).toBe('/app'));
});
