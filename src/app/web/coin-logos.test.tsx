import { readFileSync } from 'node:fs';

import { render } from '@testing-library/react';
import { expect, test } from 'vitest';

import { CoinMark } from '#ui/coin-mark.tsx';
import { coinLogos, type IconSet } from './coin-logos.ts';

const { all, tracked } = coinLogos(
  JSON.parse(readFileSync('node_modules/@iconify-json/token-branded/icons.json', 'utf8')) as IconSet,
);

test('A logo replaces the letters for a listed coin, not for another with the same symbol', () => {
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

test('The first view loads only the logos of the tracked coins, each as its own image', () => {
  expect(tracked.match(/\.coin-[a-z]+/g)).toEqual(
    ['bitcoin', 'ethereum', 'solana', 'sui', 'ripple'].map((id) => `.coin-${id}`),
  );
  for (const [, encoded = ''] of all.matchAll(/url\("data:image\/svg\+xml,([^"]+)"\)/g)) {
    const svg = new DOMParser().parseFromString(decodeURIComponent(encoded), 'image/svg+xml');
    expect(svg.querySelector('parsererror, image, script'), encoded).toBeNull();
  }
});
