import type { AdvancedMetrics } from '#features/market/contract/metrics.ts';
import { hashes } from '#shared/figure-pages.ts';
import { compact, grouped } from '#shared/format.ts';
import { Split } from '#ui/micro.tsx';
import { Spark } from '#ui/spark.tsx';
import { NoteFigure, Tile } from './tile.tsx';

function Past({ points }: { points: readonly number[] | undefined }) {
  return points && <Spark points={points} width={160} height={22} className="h-[22px] w-full" neutral />;
}

export function OnchainTiles({ data: { onchain, history } }: { data: AdvancedMetrics }) {
  const { whaleTransactions: whales, hashRate: hash, activeAddresses: active } = onchain;
  const { exchange_deposits: deposits, large_transfers: large } = whales.metadata;
  const { new_addresses: fresh, returning_addresses: returning } = active.metadata;
  const parts = fresh !== null || returning !== null;
  return (
    <>
      <Tile
        name="Whale transfers (> $1M), 24h"
        meta={whales.meta['value']}
        text={whales.value !== null && grouped(whales.value)}
        note={
          <span className="flex flex-wrap justify-between gap-2">
            <NoteFigure
              label="> $10M"
              name="Large transfers (> $10M), 24h"
              meta={whales.metadata.meta['large_transfers']}
            >
              {large !== null && grouped(large)}
            </NoteFigure>
            <NoteFigure
              label="To exchanges"
              name="Whale deposits to exchanges, 24h"
              meta={whales.metadata.meta['exchange_deposits']}
            >
              {deposits !== null && grouped(deposits)}
            </NoteFigure>
          </span>
        }
      >
        <Split
          pieces={[
            { name: 'deposits', size: deposits ?? 0, tone: 'bg-warn' },
            { name: 'rest', size: (whales.value ?? 0) - (deposits ?? 0), tone: 'bg-line' },
          ]}
        />
      </Tile>
      <Tile
        name="Hash rate"
        meta={hash.meta['value']}
        text={hash.value !== null && hashes(hash.value)}
        note={
          <span className="flex flex-wrap justify-between gap-2">
            {hash.metadata.network_health && <span>Network health: {hash.metadata.network_health}</span>}
            <NoteFigure label="Diff." name="Difficulty" meta={hash.metadata.meta['difficulty']}>
              {hash.metadata.difficulty !== null && compact(hash.metadata.difficulty, 0)}
            </NoteFigure>
          </span>
        }
      >
        <Past points={history['hash_rate']} />
      </Tile>
      <Tile
        name="Active BTC addresses, 24h"
        meta={active.meta['value']}
        text={active.value !== null && compact(active.value, 0)}
        note={
          <span className="flex flex-wrap justify-between gap-2">
            <NoteFigure label="New" name="New addresses" meta={active.metadata.meta['new_addresses']}>
              {fresh !== null && compact(fresh, 0)}
            </NoteFigure>
            <NoteFigure label="Returning" name="Returning addresses" meta={active.metadata.meta['returning_addresses']}>
              {returning !== null && compact(returning, 0)}
            </NoteFigure>
          </span>
        }
      >
        {parts ? (
          <Split
            pieces={[
              { name: 'new', size: fresh ?? 0, tone: 'bg-accent' },
              { name: 'returning', size: returning ?? 0, tone: 'bg-accent/50' },
            ]}
          />
        ) : (
          <Past points={history['addresses.btc.active']} />
        )}
      </Tile>
    </>
  );
}
