// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closeApp, freezeTime, openApp } from '#app/web/testing/open-app.tsx';
import { failing } from '#app/web/testing/show-card.tsx';
import { backtest, replay } from './fixtures.ts';

beforeEach(() => freezeTime());
afterEach(closeApp);

type Answers = NonNullable<NonNullable<Parameters<typeof openApp>[0]>['calls']>;

const show = (answers: Answers = {}) =>
  openApp({
    at: '/app/track-record',
    calls: {
      '/api/backtest': () => Response.json(backtest),
      '/api/track-record/calls': () => Response.json({ calls: [], next: null }),
      '/api/ledger': () => Response.json({ entries: [], newest: 0, roots: [] }),
      '/api/track-record/replay': () => Response.json({ mode: 'live', replay }),
      ...answers,
    },
  });
const region = (name: string) => screen.findByRole('region', { name });

describe('Track record, the replay', () => {
  const name = 'Replay on Past Prices';

  test('its sentence, days, sources, chain and candles', async () => {
    show();
    await screen.findByText('Not part of the live record');
    const card = await region(name);
    const said =
      /24h: ahead\. .* over 1,272 days; 80% ranges held 79\.7%\..*12 Oct 2022 to 19 Nov 2026, OKX.*41,230 entries/;
    expect(card.textContent).toMatch(said);
    const link = within(card).getByRole('link', { name: 'Candles, CSV' });
    expect(link.getAttribute('href')).toBe('/api/track-record/replay/candles');
  });

  test.each([
    ['live', 'The replay is being prepared'],
    ['demo', 'No replay in demo mode'],
    ['none', 'Failed to load the replay'],
  ])('without a replay or a first call (%s): %s', async (mode, title) => {
    const answer = () => (mode === 'none' ? failing() : Response.json({ mode, replay: null }));
    const empty = () => Response.json({ ...backtest, headline: null, cells: [] });
    show({ '/api/backtest': empty, '/api/track-record/replay': answer });
    await screen.findByText(title);
    expect(within(await region(name)).getByText(title)).toBeDefined();
  });
});
