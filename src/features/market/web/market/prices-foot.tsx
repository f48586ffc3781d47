import type { CryptoPrice, MarketTotals, SourceHealth } from '#features/market/contract/market.ts';
import { compact } from '#shared/format.ts';
import { cx } from '#ui/cx.ts';
import { FigureOrigin } from './figure-origin.tsx';
import { isFailing, sourcesNamed } from './quote.ts';
import { useSources } from './use-tick.ts';

const STATES: Record<SourceHealth['state'], string> = {
  ok: 'online',
  stale: 'stale',
  rate_limited: 'rate-limited',
  down: 'down',
  refused_region: 'blocked in this region',
  key_missing: 'missing a key',
  waiting: 'on standby',
  unknown: 'not recorded',
};

function dot(source: SourceHealth): string {
  if (source.state === 'ok') return 'bg-up';
  return isFailing(source) ? 'bg-warn' : 'bg-line-strong';
}

type Props = { totals: MarketTotals; rows: readonly CryptoPrice[]; sources: readonly SourceHealth[]; more: number };

export function PricesFoot({ totals, rows, sources: all, more }: Props) {
  const sources = sourcesNamed(all, useSources(rows));
  const computed = rows.some(({ listing }) => listing.method === 'computed');
  return (
    <div className="mt-auto border-t border-line">
      <div className="num flex min-h-11 flex-wrap items-center gap-x-6 gap-y-1 px-4 py-2.5 text-xs text-ink-3">
        <dl className="flex flex-wrap gap-x-6 gap-y-1.5">
          <Total name="Total market cap" figure="total_cap" usd={totals.market_cap} />
          <Total name="24h volume" figure="total_volume" usd={totals.volume_24h} />
        </dl>
        {more > 0 && <p className="ml-auto">+{more} more coins</p>}
      </div>
      {sources.length > 0 && (
        <div className="flex flex-wrap items-center gap-x-5 gap-y-1 border-t border-line px-4 py-2.5">
          <h3 className="label">Sources</h3>
          <ul className="contents">
            {sources.map((source) => (
              <li key={source.id} title={source.note ?? source.gives} className="label flex items-center gap-1.5">
                <span className={cx('size-1.5 rounded-full', dot(source))} aria-hidden="true" />
                <span className="text-ink-2">{source.name}</span>
                <span className={isFailing(source) ? 'text-warn' : undefined}>{STATES[source.state]}</span>
              </li>
            ))}
          </ul>
          {computed && <p className="label sm:ml-auto">Dotted values are computed: price × supply.</p>}
        </div>
      )}
    </div>
  );
}

function Total({ name, figure, usd }: { name: string; figure: string; usd: number | null }) {
  return (
    <div className="flex gap-1.5">
      <dt>{name}</dt>
      <dd>
        <FigureOrigin figure={figure} name={name} value={usd} className="-my-[3px] font-semibold text-ink">
          ${compact(usd ?? 0)}
        </FigureOrigin>
      </dd>
    </div>
  );
}
