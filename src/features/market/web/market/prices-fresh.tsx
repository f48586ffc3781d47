import type { CryptoPrice } from '#features/market/contract/market.ts';
import { Fresh } from '#ui/fresh.tsx';
import { useNewestTick } from './use-tick.ts';

type Props = { rows: readonly CryptoPrice[]; nameOf: (source: string) => string };

/** The age of the newest number shown. Rows that lag behind carry their own mark. */
export function PricesFresh({ rows, nameOf }: Props) {
  const tick = useNewestTick();
  const newest = rows.reduce<CryptoPrice | undefined>(
    (best, row) => (!best || row.meta.observedAt > best.meta.observedAt ? row : best),
    undefined,
  );
  if (!newest) return null;
  const { source, observedAt, staleAfter, method } = newest.meta;
  const at = Date.parse(observedAt);
  const live = tick && tick.at > at ? tick : undefined;
  const name = nameOf(live?.source || source);
  return (
    <Fresh
      observedAt={live?.at ?? at}
      staleAfter={Date.parse(staleAfter) + (live ? live.at - at : 0)}
      source={method === 'demo' ? `${name} (demo)` : name}
    />
  );
}
