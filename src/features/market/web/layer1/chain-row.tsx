import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import type { Chain } from '#features/market/contract/layer1.ts';
import { COIN_PREFIX } from '#shared/figures.ts';
import { compact, grouped, price } from '#shared/format.ts';
import { Change } from '#ui/change.tsx';
import { CoinMark } from '#ui/coin-mark.tsx';
import { cx } from '#ui/cx.ts';
import { Figure } from '#ui/figure.tsx';
import { Meter } from '#ui/micro.tsx';

/** One grid for the head and every row: columns are added as the screen widens, the rest is in the details. */
export const COLUMNS = 'grid items-center gap-x-2 px-4 chain-columns';

export type Key = 'price' | 'change_24h' | 'market_cap' | 'dominance' | 'volume_24h' | 'tps' | 'active_addresses';

const count = (value: number): string => (value >= 100 ? grouped(value) : value.toFixed(1));

const TEXT: Record<Key, (value: number) => ReactNode> = {
  price: (value) => price(value),
  change_24h: (value) => <Change value={value} />,
  market_cap: (value) => `$${compact(value)}`,
  dominance: (value) => `${value.toFixed(1)}%`,
  volume_24h: (value) => `$${compact(value)}`,
  tps: count,
  active_addresses: (value) => compact(value, 1),
};

const NAMES: Record<Key, string> = {
  price: 'Price',
  change_24h: '24h change',
  market_cap: 'Market cap',
  dominance: 'Share of Layer 1',
  volume_24h: '24h volume',
  tps: 'Transactions per second',
  active_addresses: 'Active addresses per day',
};

/** Keys of the detail pages of a chain's figures. */
const PAGES: Partial<Record<Key, (id: string) => string>> = {
  price: (id) => COIN_PREFIX + id,
  market_cap: (id) => `cap:${id}`,
  volume_24h: (id) => `volume:${id}`,
  tps: (id) => `l1.${id}.tps`,
  active_addresses: (id) => (id === 'bitcoin' ? 'addresses.btc.active' : `l1.${id}.addresses`),
};

function ChainFigure({ chain, of, className }: { chain: Chain; of: Key; className?: string }) {
  const value = chain[of];
  return (
    <Figure
      meta={chain.meta[of]}
      name={`${chain.name}, ${NAMES[of]}`}
      page={PAGES[of]?.(chain.id)}
      className={className}
    >
      {value !== null && TEXT[of](value)}
    </Figure>
  );
}

type RowProps = {
  chain: Chain;
  /** Columns with values for too few chains: shown in the details only. */
  sparse: ReadonlySet<Key>;
  open: boolean;
  onToggle: () => void;
};

export function ChainRow({ chain, sparse, open, onToggle }: RowProps) {
  const details = useId();
  return (
    <li className={cx('border-t border-line', open && 'bg-raised/50')}>
      <div className={cx(COLUMNS, 'num relative h-12 text-right text-sm hover:bg-raised/50')}>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={details}
          onClick={onToggle}
          className="flex min-w-0 items-center gap-2.5 text-left after:absolute after:inset-0"
        >
          <CoinMark symbol={chain.symbol} id={chain.id} size={24} />
          <span className="min-w-0 leading-4">
            <span className="block truncate text-base font-semibold">{chain.name}</span>
            <span className="label block truncate">{chain.narrative}</span>
          </span>
        </button>
        <span>
          <ChainFigure chain={chain} of="price" className="font-semibold" />
        </span>
        <span>
          <ChainFigure chain={chain} of="change_24h" />
        </span>
        <span className="hidden text-ink-2 xl:block">
          <ChainFigure chain={chain} of="market_cap" />
        </span>
        <span className="hidden items-center justify-end gap-2 lg:flex">
          {chain.dominance !== null && <Meter value={chain.dominance} className="w-16 xl:w-20" />}
          <ChainFigure chain={chain} of="dominance" className="w-11 text-right text-xs text-ink-2" />
        </span>
        <span className="hidden text-ink-2 xl:block">
          <ChainFigure chain={chain} of="volume_24h" />
        </span>
        <span className="hidden text-ink-2 sm:block">
          {!sparse.has('tps') && <ChainFigure chain={chain} of="tps" />}
        </span>
        <span className="hidden text-ink-2 lg:block">
          {!sparse.has('active_addresses') && <ChainFigure chain={chain} of="active_addresses" />}
        </span>
        <ChevronDown
          className={cx('size-4 justify-self-end text-ink-3 transition-transform', open && 'rotate-180')}
          aria-hidden="true"
        />
      </div>
      <div id={details}>{open && <ChainDetails chain={chain} />}</div>
    </li>
  );
}

const DETAILS: readonly Key[] = [
  'price',
  'change_24h',
  'market_cap',
  'dominance',
  'volume_24h',
  'tps',
  'active_addresses',
];

function ChainDetails({ chain }: { chain: Chain }) {
  return (
    <dl className="num grid grid-cols-2 gap-x-6 gap-y-3 border-t border-line px-4 py-3.5 text-sm md:grid-cols-4">
      <div>
        <dt className="label">Known for</dt>
        <dd className="flex min-h-6 items-center font-medium">{chain.narrative}</dd>
      </div>
      {DETAILS.map((key) => (
        <div key={key}>
          <dt className="label">{NAMES[key]}</dt>
          <dd className="font-medium">
            <ChainFigure chain={chain} of={key} />
            <Reason chain={chain} of={key} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Reason({ chain, of }: { chain: Chain; of: Key }) {
  const meta = chain.meta[of];
  if (!meta || !('reason' in meta)) return null;
  return <p className="text-2xs font-normal text-ink-3">{meta.reason}</p>;
}
