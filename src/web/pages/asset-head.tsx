import { useQuery } from '@tanstack/react-query';

import { ASSETS, type Asset, coinIdOf } from '#features/analytics/web/view.ts';
import { dashboardQuery } from '#features/dashboard/web/queries.ts';
import { withTick } from '#features/market/web/quote.ts';
import { useTick } from '#features/market/web/use-tick.ts';
import { price } from '#shared/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Change } from '#web/ui/change.tsx';
import { CoinMark } from '#web/ui/coin-mark.tsx';
import { Figure } from '#web/ui/figure.tsx';

/** The asset of the chart with its price now. */
export function AssetHead({ asset }: { asset: Asset }) {
  const { data, isError, refetch } = useQuery(dashboardQuery);
  const id = coinIdOf(asset);
  const tick = useTick(id);
  const row = data?.cryptoPrices.find((coin) => coin.id === id);
  const now = row && withTick(row, tick);
  return (
    <div className="mt-1 flex min-h-8 flex-wrap items-center gap-x-3">
      <CoinMark symbol={asset} size={26} />
      <p className="font-semibold">
        {ASSETS[asset]} <span className="font-normal text-ink-3">{asset} / USD</span>
      </p>
      {now && (
        <>
          <Figure
            meta={{ ...now.meta, metric: 'coin.price' }}
            name={`Price of ${ASSETS[asset]}`}
            className="num text-xl font-semibold tracking-[-0.02em]"
          >
            ${price(now.price)}
          </Figure>
          <Change value={now.change_24h} />
        </>
      )}
      {!row && isError && (
        <p role="alert" className="flex items-center gap-1 text-sm text-ink-3">
          The price could not be loaded.
          <Button kind="quiet" onClick={() => void refetch()}>
            Retry
          </Button>
        </p>
      )}
    </div>
  );
}
