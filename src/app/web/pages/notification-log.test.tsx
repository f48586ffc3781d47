import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { raisedOf } from '#features/alerts/web/alerts/fixtures.ts';
import type { Delivery } from '#features/notifications/contract/notifications.ts';
import {
  deliveryOf,
  latencyOf,
  preferencesOf,
  someDeliveries,
} from '#features/notifications/web/notifications/fixtures.ts';
import { type Answer, answer, broken } from '#ui/testing/answers.ts';
import { handle } from '../live.ts';
import { LATE, texts } from '../testing/acts.ts';
import { DELIVERIES, LATENCY, openNotifications } from '../testing/notifications.ts';

const card = (name: string) => screen.findByRole('region', { name }, LATE);
const rows = async () => {
  const list = await screen.findByRole('list', { name: 'Deliveries' }, LATE);
  return within(list)
    .getAllByRole('listitem')
    .map((row) => texts([...row.querySelectorAll('p, span')]).join(' | '));
};
const openLog = (deliveries: Answer) => openNotifications({ calls: { [DELIVERIES]: deliveries } });

describe('delivery log', () => {
  test('each outcome in words: content, channel, time, latency, failure reason', async () => {
    openLog(answer({ deliveries: someDeliveries }));
    expect(await rows()).toEqual([
      'SSR fell below 6 | Email · medium severity · 21 Nov, 11:57:00 | quiet hours · scheduled for 22 Nov, 07:00 | Waiting',
      'BTC fell 8.4% in 24 hours | Email · high severity · 21 Nov, 11:57:00 | In transit',
      'BTC went above 70,000 USD | Push · medium severity · 21 Nov, 11:57:00 | to 2 browsers | Accepted | after 340 ms',
      'Alert 26 | Webhook · medium severity · 21 Nov, 11:57:00 | Your address answered 500 · 8 tries | Failed',
      'Alert 25 | Telegram · medium severity · 21 Nov, 11:57:00 | Telegram could not be reached for 6 hours | Expired',
      'Alert 24 | Push · medium severity · 21 Nov, 11:57:00 | No browser is subscribed | Not sent',
    ]);
  });

  test('times use the selected time zone', async () => {
    openNotifications({
      stored: preferencesOf({ notificationPreferences: { timeZone: 'Asia/Tokyo' } }),
      calls: { [DELIVERIES]: answer({ deliveries: [deliveryOf(1)] }) },
    });
    expect((await rows())[0]).toContain('21 Nov, 20:57:00');
    expect(screen.getByText('Last 30 days · Asia/Tokyo')).toBeDefined();
  });

  test('empty', async () => {
    openLog(answer({ deliveries: [] }));
    expect(await screen.findByText('Nothing sent yet', {}, LATE)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Older' })).toBeNull();
  });

  test('a button loads older ones and remains when loading fails', async () => {
    const all = Array.from({ length: 25 }, (_, i) => deliveryOf(25 - i));
    let down = true;
    openLog((url) => {
      const before = Number(new URL(url, 'http://here').searchParams.get('before') ?? '26');
      if (before < 26 && down) return broken();
      return Response.json({ deliveries: all.filter(({ id }) => id < before).slice(0, 20) });
    });
    expect(await rows()).toHaveLength(20);
    await userEvent.click(screen.getByRole('button', { name: 'Older' }));
    expect(await screen.findByText('Couldn’t load older deliveries. Please try again.')).toBeDefined();
    expect(await rows()).toHaveLength(20);
    down = false;
    await userEvent.click(screen.getByRole('button', { name: 'Older' }));
    await waitFor(async () => expect(await rows()).toHaveLength(25));
    expect(screen.queryByRole('button', { name: 'Older' })).toBeNull();
  });

  test('refetches when an alert is raised', async () => {
    const kept: Delivery[] = [];
    const { queries } = openLog(() => Response.json({ deliveries: kept }));
    await screen.findByText('Nothing sent yet', {}, LATE);
    kept.push(deliveryOf(1));
    const data = JSON.stringify({ at: 0, alerts: [raisedOf(1)] });
    handle(queries, { name: 'alerts', data }, false);
    expect(await screen.findByText('Alert 1', {}, { timeout: 1_500 })).toBeDefined();
  });
});

describe('delivery latency', () => {
  const table = async () =>
    within(await card('Delivery Speed'))
      .getAllByRole('row')
      .map((row) => texts([...row.children]).join(' | '));

  test('p50, p95 and p99 of each channel with n and window; none is invented', async () => {
    const measured = { channel: 'email', n: 1204, p50Ms: 812, p95Ms: 2_140, p99Ms: 80_000 } as const;
    const inApp = { channel: 'in-app', n: 3, p50Ms: 12, p95Ms: 30, p99Ms: 31 } as const;
    openNotifications({ calls: { [LATENCY]: answer(latencyOf([measured, inApp])) } });
    await screen.findByText('1,204', {}, LATE);
    expect(await table()).toEqual([
      'Channel | p50 | p95 | p99 | n',
      'In-app | 12 ms | 30 ms | 31 ms | 3',
      'Email | 812 ms | 2.1 s | 1 min 20 s | 1,204',
      'Push | not measured yet | 0',
      'Telegram | not measured yet | 0',
      'Webhook | not measured yet | 0',
    ]);
    expect(screen.getByText(/22 Oct 2026 to 21 Nov 2026/)).toBeDefined();
  });
});
