import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';

import { BadgeEmbed } from './badge-embed.tsx';

afterEach(cleanup);

const shown = () => [...document.querySelectorAll('pre')].map(({ textContent }) => textContent);

test('begins with the live record at 24h, as HTML and Markdown; record and horizon are in badge and texts', async () => {
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
