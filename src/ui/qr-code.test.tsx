import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { QrCode, QUIET } from './qr-code.tsx';

test('has three corner markers, dark on white, with a quiet zone', () => {
  render(<QrCode text="otpauth://totp/Meridian:ann%40example.com?secret=JBSWY3DPEHPK3PXP" label="Code" />);
  const svg = screen.getByRole('img', { name: 'Code' });
  const size = Number(svg.getAttribute('viewBox')?.split(' ')[2]);
  const [ground, modules] = [svg.querySelector('rect'), svg.querySelector('path')];
  const dark = new Set(
    [...(modules?.getAttribute('d') ?? '').matchAll(/M(\d+) (\d+)h(\d+)/g)].flatMap(([, x, y, length]) =>
      Array.from({ length: Number(length) }, (_, i) => `${Number(x) + i} ${y}`),
    ),
  );
  expect([ground?.getAttribute('fill'), modules?.getAttribute('fill')]).toEqual(['#fff', '#000']);
  for (const [left, top] of [
    [QUIET, QUIET],
    [size - QUIET - 7, QUIET],
    [QUIET, size - QUIET - 7],
  ] as const)
    for (let i = 0; i < 7; i += 1) {
      expect(dark.has(`${left + i} ${top}`)).toBe(true);
      expect(dark.has(`${left} ${top + i}`)).toBe(true);
      expect(dark.has(`${left + 3} ${top + 3}`)).toBe(true);
    }
  for (let i = 0; i < size; i += 1) for (const edge of [0, 1, 2, 3]) expect(dark.has(`${i} ${edge}`)).toBe(false);
});
