import { describe, expect, test } from 'vitest';
import { readQr } from '#app/web/testing/read-qr.ts';
import { QUIET, qrPath } from '#ui/qr-code.tsx';
import { paymentOf, solanaPaymentOf } from './fixtures.ts';

/** Dark modules drawn by the path, without the border. */
function modulesOf(text: string): boolean[][] {
  const { path, size } = qrPath(text);
  const rows = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    for (let at = 0; at < Number(length); at++) (rows[Number(y)] as boolean[])[Number(x) + at] = true;
  return rows.slice(QUIET, -QUIET).map((row) => row.slice(QUIET, -QUIET));
}

describe('the rendered code', () => {
  test.each([
    ['EIP-681', paymentOf().uri],
    ['Solana Pay', solanaPaymentOf().uri],
    ['an address', paymentOf().address],
  ])('%s is decoded exactly as it was encoded', (_, text) => {
    expect(readQr(modulesOf(text))).toBe(text);
  });

  test('the path contains only runs, and the border stays light', () => {
    const { path, size } = qrPath(paymentOf().uri);
    expect(path.replace(/M\d+ \d+h(\d+)v1h-\1z/g, '')).toBe('');
    const columns = [...path.matchAll(/M(\d+) (\d+)h(\d+)/g)].flatMap(([, x, y, length]) => [
      Number(x),
      Number(y),
      size - 1 - (Number(x) + Number(length) - 1),
      size - 1 - Number(y),
    ]);
    expect(Math.min(...columns)).toBe(QUIET);
  });
});
