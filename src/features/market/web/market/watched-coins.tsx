import type { CryptoPrice } from '#features/market/contract/market.ts';
import { CoinMark } from '#ui/coin-mark.tsx';
import { Link } from '#ui/link.tsx';
import { LiveChange, LivePrice } from './live-cells.tsx';
import { useWatchlist } from './watchlist.ts';

const MOST = 8;

/** Starred coins, accessible on every page. */
export type WatchedProps = { rows: readonly CryptoPrice[]; onOpen: () => void };

export function WatchedCoins({ rows, onOpen }: WatchedProps) {
  const stars = useWatchlist();
  const watched = rows.filter(({ id }) => stars.has(id));
  if (watched.length === 0) return null;
  return (
    <section aria-labelledby="watched" className="mt-4">
      <h2 id="watched" className="label px-2.5 pb-1">
        Watchlist
      </h2>
      <ul>
        {watched.slice(0, MOST).map((row) => (
          <li key={row.id}>
            <Link
              to={`/app?coin=${row.id}`}
              onClick={onOpen}
              className="flex h-10 items-center gap-2 rounded-ctl px-2.5 text-sm hover:bg-raised/50 lg:h-8.5"
            >
              <CoinMark symbol={row.symbol} id={row.id} size={18} />
              <span className="truncate font-medium">{row.symbol}</span>
              <LivePrice row={row} className="num ml-auto" />
              <LiveChange row={row} decimals={1} className="w-14 text-right text-2xs" />
            </Link>
          </li>
        ))}
      </ul>
      {watched.length > MOST && <p className="label px-2.5 pt-1">+{watched.length - MOST} more</p>}
    </section>
  );
}
