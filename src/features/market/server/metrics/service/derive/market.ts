import type { Board } from '#features/market/server/market/service.ts';
import { ruleOf } from '#features/market/server/metrics/metrics.ts';
import type { Snapshot } from '#features/market/server/metrics/snapshot.ts';
import type { Observation } from '#features/market/server/metrics/types.ts';
import { compact } from '#shared/format.ts';

/** Sums over our own price list, for when no global source answers, and the stablecoin supply ratio. */
export function deriveMarket(snapshot: Snapshot, board: Board): Observation[] {
  const totals = board.totals();
  const bitcoin = board.find('bitcoin');
  const rows: Observation[] = [];
  if (totals.meta && totals.market_cap !== null) {
    const observedAt = new Date(totals.meta.observedAt);
    const terms = `Sum over ${totals.coins} coins`;
    rows.push({ metric: 'market.cap', value: totals.market_cap, observedAt, detail: { terms } });
    if (totals.volume_24h !== null)
      rows.push({ metric: 'market.volume', value: totals.volume_24h, observedAt, detail: { terms } });
    if (bitcoin?.market_cap)
      rows.push({
        metric: 'dominance.btc',
        value: (100 * bitcoin.market_cap) / totals.market_cap,
        observedAt,
        detail: { terms: `BTC market cap ÷ sum over ${totals.coins} coins` },
      });
  }
  return [...rows, ...supplyRatio(snapshot, bitcoin)];
}

/** SSR = BTC market cap ÷ supply of USD-pegged coins. */
function supplyRatio(snapshot: Snapshot, bitcoin: ReturnType<Board['find']>): Observation[] {
  const supply = snapshot.find('stablecoins.supply');
  if (!supply || !bitcoin?.market_cap || supply.value <= 0) return [];
  const age = snapshot.at.getTime() - Date.parse(supply.observed_at);
  if (age > ruleOf('ssr').freshMs) return [];
  return [
    {
      metric: 'ssr',
      value: bitcoin.market_cap / supply.value,
      // The supply moves slowly and is fresh here: the ratio is as old as the cap, or a later one would replace it.
      observedAt: new Date(bitcoin.listing.observedAt),
      detail: {
        venues: [supply.source, 'coingecko'],
        terms: `BTC market cap $${compact(bitcoin.market_cap)} ÷ stablecoin supply $${compact(supply.value)}`,
      },
    },
  ];
}
