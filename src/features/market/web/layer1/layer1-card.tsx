import { queryOptions } from '@tanstack/react-query';
import { type CSSProperties, useState } from 'react';
import { type Chain, getLayer1Data, type Layer1Data } from '#features/market/contract/layer1.ts';
import { compact } from '#shared/format.ts';
import { useAddressFlag } from '#ui/address-filter.ts';
import { call } from '#ui/api/client.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import type { CardPlace } from '#ui/card-frame.tsx';
import { Change } from '#ui/change.tsx';
import { cx } from '#ui/cx.ts';
import { Figure } from '#ui/figure.tsx';
import { newestObservation } from '#ui/figure-age.ts';
import { Fresh } from '#ui/fresh.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { Empty } from '#ui/states.tsx';
import { useCard, whyEmpty } from '#ui/use-card.ts';
import { ChainRow, COLUMNS, type Key } from './chain-row.tsx';

const layer1Query = queryOptions({
  queryKey: ['layer1'],
  queryFn: ({ signal }) => call(getLayer1Data, {}, signal),
  staleTime: 60_000,
  refetchInterval: 300_000,
});

export type Layer1CardProps = CardPlace & {
  /** A past moment instead of now; null when nothing was stored. */
  past?: Layer1Data | null | undefined;
};

export function Layer1Card({ past, ...card }: Layer1CardProps) {
  const query = useCard(layer1Query, past);
  return (
    <QueryView
      query={query}
      card={card}
      failed="Failed to load Layer 1 data"
      isEmpty={(data) => !data || data.chains.length === 0}
      empty={<Empty title="No real Layer 1 data available" note={whyEmpty(past)} />}
    >
      {(data) => data && <Loaded card={card} data={data} />}
    </QueryView>
  );
}

/** The tracked chains and a few more; the rest on demand. */
const FIRST = 8;

const HEADS = [
  ['Chain', 'text-left'],
  ['Price', ''],
  ['24h', ''],
  ['Market cap', 'hidden xl:block'],
  ['Share of L1', 'hidden lg:block'],
  ['Volume', 'hidden xl:block'],
  ['TPS', 'hidden sm:block', 'tps'],
  ['Active addresses', 'hidden lg:block', 'active_addresses'],
] as const;

/** Columns without a value for most of the first chains. */
const sparseIn = (chains: readonly Chain[]): Set<Key> => {
  const first = chains.slice(0, FIRST);
  const few = (['tps', 'active_addresses'] as const).filter(
    (key) => 2 * first.filter((chain) => chain[key] !== null).length < first.length,
  );
  return new Set(few);
};

function Loaded({ card, data }: { card: CardPlace; data: Layer1Data }) {
  const [open, setOpen] = useState<string | null>(null);
  const [all, setAll] = useAddressFlag('all-chains');
  const { length } = data.chains;
  const sparse = sparseIn(data.chains);
  const widths: CSSProperties & Record<`--${string}`, string> = {
    ...(sparse.has('tps') && { '--tps': '0px' }),
    ...(sparse.has('active_addresses') && { '--active': '0px' }),
  };
  const newest = newestObservation([...Object.values(data.meta), ...data.chains.map(({ meta }) => meta['price'])]);
  return (
    <Card
      {...card}
      note={newest && <Fresh {...newest} />}
      action={
        length > FIRST && (
          <Button kind="quiet" aria-expanded={all} onClick={() => setAll(!all)} className="-mr-2.5 -ml-2.5">
            {all ? `Show first ${FIRST}` : `Show all ${length}`}
          </Button>
        )
      }
    >
      <div className={cx(COLUMNS, 'label h-8 text-right')} style={widths} aria-hidden="true">
        {HEADS.map(([title, className, key]) => (
          <span key={title} className={className}>
            {(!key || !sparse.has(key)) && title}
          </span>
        ))}
      </div>
      <ul style={widths}>
        {data.chains.slice(0, all ? length : FIRST).map((chain) => (
          <ChainRow
            key={chain.id}
            chain={chain}
            sparse={sparse}
            open={open === chain.id}
            onToggle={() => setOpen(open === chain.id ? null : chain.id)}
          />
        ))}
      </ul>
      <Totals data={data} />
    </Card>
  );
}

function Totals({ data }: { data: Layer1Data }) {
  const { total_market_cap: cap, total_volume_24h: volume, avg_change_24h: change, meta } = data;
  return (
    <dl className="num mt-auto flex min-h-11 flex-wrap items-center gap-x-6 gap-y-1 border-t border-line px-4 py-2 text-xs text-ink-3 *:flex *:items-center *:gap-1.5 [&_dd]:font-semibold [&_dd]:text-ink">
      <div>
        <dt>Total market cap</dt>
        <dd>
          <Figure meta={meta['total_market_cap']} name="Layer 1 market cap">
            {cap !== null && `$${compact(cap)}`}
          </Figure>
        </dd>
      </div>
      <div>
        <dt>24h volume</dt>
        <dd>
          <Figure meta={meta['total_volume_24h']} name="Layer 1 volume, 24h">
            {volume !== null && `$${compact(volume)}`}
          </Figure>
        </dd>
      </div>
      <div>
        <dt>Avg. 24h change</dt>
        <dd>
          <Figure meta={meta['avg_change_24h']} name="Layer 1 average change, 24h">
            {change !== null && <Change value={change} />}
          </Figure>
        </dd>
      </div>
    </dl>
  );
}
