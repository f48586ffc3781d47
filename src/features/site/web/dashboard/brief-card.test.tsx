// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { closeCard, failing, never, showCard } from '#app/web/testing/show-card.tsx';
import { meta, NOON } from '#features/market/web/market/fixtures.ts';
import type { Brief } from '#features/site/contract/brief.ts';
import { Clock, ClockContext } from '#ui/now.ts';
import { BriefCard } from './brief-card.tsx';

const BRIEF: Brief = {
  timestamp: new Date(NOON - 5000).toISOString(),
  dataMode: 'demo',
  lines: [
    {
      topic: 'market',
      title: 'Market',
      clauses: [
        { text: 'Market cap $2.64T', href: '/app#crypto-prices', meta: { ...meta(), metric: 'market.cap' } },
        { text: '24h volume $98.24B', href: '/app#crypto-prices', meta: { ...meta(), metric: 'market.volume' } },
      ],
      missing: null,
    },
    { topic: 'outlook', title: 'Outlook', clauses: [], missing: 'No analysis yet.' },
  ],
};
const show = (answer: () => Response | Promise<Response>) =>
  showCard(
    <ClockContext value={new Clock(NOON, true)}>
      <BriefCard id="market-brief" title="Market Brief" className="" />
    </ClockContext>,
    { '/api/brief': answer },
  );

test('each clause opens its origin; a line without facts shows the reason; the text can be copied', async () => {
  const user = userEvent.setup();
  show(() => Response.json(BRIEF));
  const figure = (await screen.findByText('24h volume $98.24B')).closest('button');
  expect(figure?.textContent).toBe('Where it comes from: Market. 24h volume $98.24B');
  const card = screen.getByRole('region', { name: 'Market Brief' });
  expect(card.textContent).toContain('Updated 5s ago');
  expect(card.textContent).toContain('No analysis yet.');
  const copied = vi.spyOn(navigator.clipboard, 'writeText');
  await user.click(within(card).getByRole('button', { name: 'Copy the market brief' }));
  expect(copied.mock.calls[0]?.[0]).toBe(
    `Market brief, 21 Nov 2026, 11:59:55 UTC (demo data)\nMarket: Market cap $2.64T; 24h volume $98.24B\nOutlook: No analysis yet.\n${location.origin}/app`,
  );
});

test('loading, and a retryable failure', async () => {
  show(never);
  expect(screen.getByText('Loading Market Brief')).toBeDefined();
  closeCard();
  let answer = failing;
  show(() => answer());
  expect((await screen.findByRole('alert')).textContent).toContain('Failed to load the market brief');
  answer = () => Response.json(BRIEF);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Market cap $2.64T')).toBeDefined();
});
