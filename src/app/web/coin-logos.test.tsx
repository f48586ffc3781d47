import { readFileSync } from 'node:fs';

import { render } from '@testing-library/react';
import { expect, test } from 'vitest';

import { CoinMark } from '#ui/coin-mark.tsx';
import { coinLogos, type IconSet } from './coin-logos.ts';

const { all, tracked } = coinLogos(
  JSON.parse(readFileSync('node_modules/@iconify-json/token-branded/icons.json', 'utf8')) as IconSet,
);

test('A logo takes the place of the letters for a listed coin, not for another of the same symbol', () => {
  const { container } = render(
    <>
      <CoinMark symbol="DOGE" id="dogecoin" />
      <CoinMark symbol="DOGE" id="binance-peg-dogecoin" />
      <CoinMark symbol="DOGE" />
      <CoinMark symbol="BTC" />
    </>,
  );
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(all);
  const withoutLetters = ([...sheet.cssRules] as CSSStyleRule[])
    .filter(({ style }) => style?.fontSize === '0px')
    .map(({ selectorText }) => selectorText);
  const letters = [...container.querySelectorAll('.coin-mark')].map((mark) =>
    withoutLetters.some((selector) => mark.matches(selector)) ? null : mark.getAttribute('data-letters'),
  );
  expect(letters).toEqual([null, 'DO', 'DO', null]);
});

test('The first view brings the logos of the tracked coins only, each a picture of its own', () => {
  expect(tracked.match(/\.coin-[a-z]+/g)).toEqual(
    ['bitcoin', 'ethereum', 'solana', 'sui', 'ripple'].map((id) => `.coin-${id}`),
  );
  for (const [, encoded = ''] of all.matchAll(/url\("data:image\/svg\+xml,([^"]+)"\)/g)) {
    const svg = new DOMParser().parseFromString(decodeURIComponent(encoded), 'image/svg+xml');
    expect(svg.querySelector('parsererror, image, script'), encoded).toBeNull();
  }
});
