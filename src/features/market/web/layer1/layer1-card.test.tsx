// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { type Answers, failing, showCard } from '#app/web/testing/show-card.tsx';
import { missing } from '#ui/testing/figures.ts';
import { layer1 } from './fixtures.ts';
import { Layer1Card } from './layer1-card.tsx';

const CARD = { id: 'l1', title: 'Layer 1 Blockchains', className: '' };
const PATH = '/api/layer1-data';
const show = (answer: Answers[string]) => showCard(<Layer1Card {...CARD} />, { [PATH]: answer });
const card = () => screen.findByRole('region', { name: 'Layer 1 Blockchains' });

describe('Layer 1 Blockchains', () => {
  test('loading, then an error: the message, and Retry loads the chains', async () => {
    let broken = true;
    show(() => (broken ? failing() : Response.json(layer1)));
    expect(within(await card()).getByText('Loading Layer 1 Blockchains')).toBeDefined();
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to load Layer 1 data');
    broken = false;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('button', { name: /Bitcoin/, expanded: false })).toBeDefined();
  });

  test('empty', async () => {
    show(() => Response.json({ ...layer1, chains: [] }));
    expect(await screen.findByText('No real Layer 1 data available')).toBeDefined();
    expect(screen.getByText('Data collection is in progress...')).toBeDefined();
  });

  test('loaded: every chain with its figures, and the totals', async () => {
    show(() => Response.json(layer1));
    await screen.findByRole('button', { name: 'Bitcoin Store of value' });
    const text = (await card()).textContent;
    for (const words of ['97,412.50', '+1.84%', '71.2%', '3,412', '912.0K', '$2.71T', '$78.10B', '+1.62%'])
      expect(text).toContain(words);
    expect(screen.getByRole('button', { name: /^Where it comes from: Solana, Transactions per second/ })).toBeDefined();
    expect(screen.getByRole('button', { name: /^Why it is missing: Sui, Active addresses/ })).toBeDefined();
  });

  test('a chain expands its details with the reason for missing values, and collapses', async () => {
    show(() => Response.json(layer1));
    const sui = await screen.findByRole('button', { name: 'Sui Move contracts' });
    await userEvent.click(sui);
    expect(sui.getAttribute('aria-expanded')).toBe('true');
    expect(screen.getByText('No free source counts the addresses of this chain.')).toBeDefined();
    await userEvent.click(sui);
    expect(screen.queryByText('No free source counts the addresses of this chain.')).toBeNull();
  });

  test('a column that most chains have no value for appears in the details only', async () => {
    const none = { active_addresses: missing('l1.addresses', 'No free source counts the addresses of this chain.') };
    const chains = layer1.chains.map((chain) => ({
      ...chain,
      active_addresses: null,
      meta: { ...chain.meta, ...none },
    }));
    show(() => Response.json({ ...layer1, chains }));
    await userEvent.click(await screen.findByRole('button', { name: 'Bitcoin Store of value' }));
    expect((await card()).textContent).not.toContain('Active addresses24h');
    expect(screen.queryByText('Active addresses')).toBeNull();
    expect(screen.getByText('Active addresses per day')).toBeDefined();
  });

  test('more than eight chains wait behind a button', async () => {
    const more = Array.from({ length: 10 }, (_, i) => ({ ...layer1.chains[0], id: `c${i}`, name: `Chain ${i}` }));
    show(() => Response.json({ ...layer1, chains: more }));
    await screen.findByRole('button', { name: 'Chain 7 Store of value' });
    expect(screen.queryByRole('button', { name: 'Chain 9 Store of value' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Show all 10' }));
    expect(screen.getByRole('button', { name: 'Chain 9 Store of value' })).toBeDefined();
  });

  test('an earlier moment is shown as supplied, without a call', async () => {
    const { fetch } = showCard(<Layer1Card {...CARD} past={layer1} />);
    expect(await screen.findByRole('button', { name: 'Bitcoin Store of value' })).toBeDefined();
    expect(fetch).not.toHaveBeenCalled();
  });
});
