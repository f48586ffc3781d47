import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test } from 'vitest';
import { BadgeEmbed } from './badge-embed.tsx';
import { buildEmbed, embedText, FIRST, widgetHeight } from './embed.ts';
import { WidgetBuilder } from './widget-builder.tsx';

const text = () => document.querySelector('pre')?.textContent ?? '';
const frame = (name: string) => screen.findByTitle(`Preview: ${name}`, undefined, { timeout: 5000 });

afterEach(cleanup);

describe('widget builder', () => {
  test('starts with a ticker, its preview and the embed code', async () => {
    render(<WidgetBuilder />);
    expect((await frame('Price ticker')).getAttribute('src')).toBe('/widgets/ticker?coins=BTC,ETH,SOL');
    expect(text()).toBe(embedText(location.origin, '/widgets/ticker?coins=BTC,ETH,SOL', FIRST));
    expect(screen.getByRole('button', { name: 'Copy' })).toBeTruthy();
  });

  test('each choice shows in preview and code', async () => {
    const user = userEvent.setup();
    render(<WidgetBuilder />);
    await user.selectOptions(screen.getByLabelText('Widget'), 'price');
    await user.click(screen.getByRole('radio', { name: 'Dark' }));
    await user.click(screen.getByRole('radio', { name: 'Short' }));
    await user.click(screen.getByRole('radio', { name: 'Compact' }));
    await user.click(screen.getByRole('radio', { name: 'Fill' }));
    await expect
      .poll(async () => (await frame('Single price')).getAttribute('src'))
      .toBe('/widgets/price?format=short&theme=dark&compact=1');
  });

  test('invalid input is reported, and the preview recovers', async () => {
    const user = userEvent.setup();
    render(<WidgetBuilder />);
    await user.clear(screen.getByLabelText('Coins'));
    expect((await screen.findByRole('alert')).textContent).toMatch(
      /^Please enter 1 to 10 comma-separated symbols or IDs/,
    );
    expect(await screen.findByText('The preview returns with the next valid selection.')).toBeTruthy();
    await user.type(screen.getByLabelText('Coins'), 'SUI');
    expect((await frame('Price ticker')).getAttribute('src')).toBe('/widgets/ticker?coins=SUI');
  });
});

describe('the embed code', () => {
  test('contains no quotation mark or tag from the input', () => {
    expect(buildEmbed({ ...FIRST, coins: '"><script>' }).path).toBeNull();
    expect(embedText('https://m.example', '/widgets/price?theme=dark&compact=1', FIRST)).toContain(
      'theme=dark&amp;compact=1',
    );
  });

  test('a narrower ticker is taller, a compact one shorter', () => {
    expect(widgetHeight({ ...FIRST, width: 'Small' })).toBeGreaterThan(widgetHeight({ ...FIRST, width: 'Wide' }));
    expect(widgetHeight({ ...FIRST, compact: true })).toBeLessThan(widgetHeight(FIRST));
  });
});

const shown = () => [...document.querySelectorAll('pre')].map(({ textContent }) => textContent);

test('starts with the live record at 24h, as HTML and Markdown; record and horizon appear in badge and texts', async () => {
  render(<BadgeEmbed />);
  const src = `${location.origin}/widgets/track-record.svg?horizon=24h`;
  const [alt, link] = ['Meridian track record, 24h', `${location.origin}/app/track-record`];
  expect(screen.getByRole('img', { name: alt }).getAttribute('src')).toBe('/widgets/track-record.svg?horizon=24h');
  expect(shown()).toEqual([
    `<a href="${link}"><img src="${src}" alt="${alt}" height="46"></a>`,
    `[![${alt}](${src})](${link})`,
  ]);
  expect(screen.getAllByRole('button', { name: 'Copy' })).toHaveLength(2);
  await userEvent.click(screen.getByRole('radio', { name: 'Replay' }));
  await userEvent.click(screen.getByRole('radio', { name: '7d' }));
  const path = '/widgets/track-record.svg?horizon=7d&record=replay';
  const badge = screen.getByRole('img', { name: 'Meridian track record, 7d, replay' });
  expect(badge.getAttribute('src')).toBe(path);
  expect(shown()).toEqual([
    expect.stringContaining(path.replace('&', '&amp;')),
    expect.stringContaining(`(${location.origin}${path})`),
  ]);
});
