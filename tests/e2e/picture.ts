import type { Locator, Page } from '@playwright/test';

import type { RunningProduct } from '../support/running-product.ts';
import { expect } from './product.ts';

type Origin = { source: string; reason?: string };

/** The part of the responses that these tests read; the contracts themselves are tested elsewhere. */
type Narrative = {
  narrative: string;
  relevance_score: number;
  coins: { coin_symbol: string; coin_name: string }[];
};
export type Picture = {
  cryptoPrices: { id: string; price: number }[];
  trendingNarratives?: Narrative[];
  advancedMetrics?: {
    bitcoinDominance: { value: number | null; meta: { value: Origin } };
    totalMarketCap: { value: number | null };
  };
  layer1Data?: { chains: { id: string; name: string; price: number | null }[] };
};
export type Source = { id: string; name: string; state: string; licence: string; attribution: string | null };

export async function ask<T>({ url }: RunningProduct, path: string): Promise<T | null> {
  const response = await fetch(`${url}${path}`).catch(() => null);
  return response?.ok ? ((await response.json()) as T) : null;
}

export const sourcesOf = async (product: RunningProduct): Promise<Source[]> =>
  (await ask<{ sources: Source[] }>(product, '/api/sources'))?.sources ?? [];

const PATIENCE = { timeout: 60_000, intervals: [250] };

/** Waits until the page shows the first round of every lane: sources, narratives, metrics, chains. */
export async function untilPictured(product: RunningProduct): Promise<void> {
  await expect
    .poll(async () => (await sourcesOf(product)).filter(({ state }) => state === 'ok').length, PATIENCE)
    .toBeGreaterThanOrEqual(15);
  await expect
    .poll(async () => {
      const now = await ask<Picture>(product, '/api/dashboard');
      return [
        (now?.trendingNarratives?.length ?? 0) >= 5,
        (now?.layer1Data?.chains.length ?? 0) >= 5,
        typeof now?.advancedMetrics?.bitcoinDominance.value === 'number',
      ];
    }, PATIENCE)
    .toEqual([true, true, true]);
}

/** The picture at an earlier time, once the past has been filled that far. */
export async function untilStored(product: RunningProduct, at: string): Promise<Picture> {
  let then: Picture | null = null;
  await expect
    .poll(
      async () => {
        then = await ask<Picture>(product, `/api/dashboard?asOf=${at}`);
        return [
          (then?.cryptoPrices.length ?? 0) >= 10,
          (then?.trendingNarratives?.length ?? 0) > 0,
          typeof then?.advancedMetrics?.bitcoinDominance.value === 'number',
        ];
      },
      { ...PATIENCE, timeout: 120_000 },
    )
    .toEqual([true, true, true]);
  if (!then) throw new Error(`Nothing is stored of ${at}`);
  return then;
}

/** The code and data of a card load when it is scrolled near. */
export async function card(page: Page, name: string): Promise<Locator> {
  const region = page.getByRole('region', { name, exact: true });
  const figure = region.getByRole('button', { name: /^(Where it comes from|Why it is missing): / }).first();
  // The placeholder is replaced when the card loads, so scrolling may have to be repeated.
  await expect(async () => {
    await region.scrollIntoViewIfNeeded({ timeout: 2000 });
    await expect(figure).toBeVisible({ timeout: 5000 });
  }).toPass();
  return region;
}

/** The open popover. */
export const opened = (page: Page): Locator => page.locator('[popover]:popover-open');
