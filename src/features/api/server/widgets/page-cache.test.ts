import { describe, expect, test } from 'vitest';

import type { Prepared } from '#kernel/read-model.ts';

import { createPageCache } from './page.ts';

const page = (etag: string) => ({ etag }) as Prepared;

describe('rendered widgets', () => {
  const at = { ms: 0 };
  const now = () => new Date(at.ms);

  test('a thousand option sets store no more than the limit', async () => {
    const kept = createPageCache(20, 10_000, now);
    for (let i = 0; i < 1000; i += 1) await kept.get(`price ${i}`, async () => page(`${i}`));
    expect(kept.size()).toBe(20);
  });

  test('concurrent requests share one render, and expiry triggers another', async () => {
    const kept = createPageCache(20, 10_000, now);
    let drawn = 0;
    const draw = async () => page(String((drawn += 1)));
    const ask = () => kept.get('price', draw);
    const pages = await Promise.all([ask(), ask(), ask()]);
    expect(pages.map(({ etag }) => etag)).toEqual(['1', '1', '1']);
    at.ms = 10_000;
    expect((await ask()).etag).toBe('2');
  });

  test('a failed one is not cached', async () => {
    const kept = createPageCache(20, 10_000, now);
    await expect(kept.get('price', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect((await kept.get('price', async () => page('3'))).etag).toBe('3');
  });
});
