// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closeApp, freezeTime, openApp } from '#app/web/testing/open-app.tsx';
import { failing } from '#app/web/testing/show-card.tsx';
import { backtest, cellOf, replay } from './fixtures.ts';

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

  test('its reliability diagrams, at each scored horizon', async () => {
    const [day] = replay.record.cells;
    const points = [{ from: 0.3, to: 0.4, forecast: 0.35, observed: 0.5, count: 7 }];
    const up = { ...cellOf().calibration?.up, points };
    const week = { ...day, horizon: '7d', calibration: { up, down: up } };
    const month = { ...day, horizon: '28d', calibration: null };
    const longer = { ...replay, record: { ...replay.record, cells: [day, week, month] } };
    show({ '/api/track-record/replay': () => Response.json({ mode: 'live', replay: longer }) });
    await screen.findByText('Not part of the live record');
    const card = within(await region(name));
    const labels = () => card.getAllByRole('img').map((each) => each.getAttribute('aria-label'));
    expect(labels()).toEqual([
      'Calibration of up, replay. Forecast 15%, observed 10%, n = 40. Forecast 42%, observed 40%, n = 110.',
      'Calibration of down, replay. Forecast 15%, observed 10%, n = 40. Forecast 42%, observed 35%, n = 110.',
    ]);
    expect(card.getByRole('region', { name: 'Calibration of “up”, replay' }).textContent).toContain('0.0120');
    expect(card.queryByRole('radio', { name: '28d' })).toBeNull();
    await userEvent.click(card.getByRole('radio', { name: '7d' }));
    expect(labels()[0]).toBe('Calibration of up, replay. Forecast 35%, observed 50%, n = 7.');
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
