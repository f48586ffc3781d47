import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { AdvancedMetrics, Derivatives } from '#features/market/contract/metrics.ts';
import { type FigureMeta, hasOrigin } from '#shared/figures.ts';
import { compact } from '#shared/format.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import type { CardPlace } from '#ui/card-frame.tsx';
import { cx } from '#ui/cx.ts';
import { newestObservation } from '#ui/figure-age.ts';
import { Fresh } from '#ui/fresh.tsx';
import { Scale, Split } from '#ui/micro.tsx';
import { part } from '#ui/part.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { Empty } from '#ui/states.tsx';
import { useCard, whyEmpty } from '#ui/use-card.ts';
import { CoreTiles } from './core-tiles.tsx';
import { OnchainTiles } from './onchain-tiles.tsx';
import { metricsQuery } from './queries.ts';
import { NoteFigure, Tile } from './tile.tsx';

const rate = (value: number): string => `${value < 0 ? '\u2212' : ''}${Math.abs(value).toFixed(4)}%`;

const FUNDING_STOPS = [-0.03, -0.01, 0.015, 0.03] as const;
const FUNDING_END = 0.05;

function DerivativeTiles({ data }: { data: Derivatives }) {
  const { openInterest: oi, fundingRate: funding, liquidations: liq } = data;
  const { btc_oi: btcOi, eth_oi: ethOi } = oi.metadata;
  const { btc_funding: btcRate, eth_funding: ethRate } = funding.metadata;
  const { long_liquidations: longs, short_liquidations: shorts } = liq.metadata;
  const born = liq.meta['value'];
  const hours = hasOrigin(born) ? born.collectedHours : undefined;
  return (
    <>
      <Tile
        name="Open interest"
        meta={oi.meta['value']}
        text={oi.value !== null && `$${compact(oi.value, 1)}`}
        note={
          <span className="flex flex-wrap justify-between gap-2">
            <NoteFigure label="BTC" name="Open interest, BTC" meta={oi.metadata.meta['btc_oi']}>
              {btcOi !== null && `$${compact(btcOi, 1)}`}
            </NoteFigure>
            <NoteFigure label="ETH" name="Open interest, ETH" meta={oi.metadata.meta['eth_oi']}>
              {ethOi !== null && `$${compact(ethOi, 1)}`}
            </NoteFigure>
          </span>
        }
      >
        <Split
          pieces={[
            { name: 'BTC', size: btcOi ?? 0, tone: 'bg-accent' },
            { name: 'ETH', size: ethOi ?? 0, tone: 'bg-accent/50' },
            { name: 'rest', size: Math.max(0, (oi.value ?? 0) - (btcOi ?? 0) - (ethOi ?? 0)), tone: 'bg-line' },
          ]}
        />
      </Tile>
      <Tile
        name="Funding rate, 8h"
        meta={funding.meta['value']}
        text={funding.value !== null && rate(funding.value)}
        note={
          <span className="flex flex-wrap justify-between gap-2">
            <NoteFigure label="BTC" name="Funding rate, BTC" meta={funding.metadata.meta['btc_funding']}>
              {btcRate !== null && rate(btcRate)}
            </NoteFigure>
            <NoteFigure label="ETH" name="Funding rate, ETH" meta={funding.metadata.meta['eth_funding']}>
              {ethRate !== null && rate(ethRate)}
            </NoteFigure>
          </span>
        }
      >
        {funding.value !== null && (
          <Scale
            value={funding.value}
            low={-FUNDING_END}
            high={FUNDING_END}
            stops={FUNDING_STOPS}
            label={`Funding ${rate(funding.value)} on a scale from ${rate(-FUNDING_END)} to ${rate(FUNDING_END)}`}
          />
        )}
      </Tile>
      <Tile
        name="Liquidations, 24h"
        meta={liq.meta['value']}
        text={liq.value !== null && `$${compact(liq.value, 1)}`}
        aside={hours !== undefined && `${hours}h covered`}
        note={
          <span className="flex flex-wrap justify-between gap-2">
            <NoteFigure label="Longs" name="Liquidated longs, 24h" meta={liq.metadata.meta['long_liquidations']}>
              {longs !== null && `$${compact(longs, 1)}`}
            </NoteFigure>
            <NoteFigure label="Shorts" name="Liquidated shorts, 24h" meta={liq.metadata.meta['short_liquidations']}>
              {shorts !== null && `$${compact(shorts, 1)}`}
            </NoteFigure>
          </span>
        }
      >
        <Split
          pieces={[
            { name: 'longs', size: longs ?? 0, tone: 'bg-down' },
            { name: 'shorts', size: shorts ?? 0, tone: 'bg-up' },
          ]}
        />
      </Tile>
    </>
  );
}

const Glossary = part({
  name: 'The glossary',
  load: async () => (await import('./glossary-list.tsx')).GlossaryList,
  loading: <div className="skel h-60" />,
});

export type MetricsCardProps = CardPlace & {
  /** A past moment instead of now; null when nothing was stored. */
  past?: AdvancedMetrics | null | undefined;
  /** The strip of narratives below the tiles. */
  children?: ReactNode;
};

/** Collects every meta in the payload, at any depth. */
function collectMetas(value: unknown): FigureMeta[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]): FigureMeta[] =>
    key === 'meta' ? Object.values(inner as Record<string, FigureMeta>) : collectMetas(inner),
  );
}

export function MetricsCard({ past, children, ...card }: MetricsCardProps) {
  const query = useCard(metricsQuery, past);
  return (
    <QueryView
      query={query}
      card={card}
      failed="Failed to load advanced metrics"
      isEmpty={(data) => !collectMetas(data).some((meta) => 'source' in meta)}
      empty={<Empty title="No advanced metrics available" note={whyEmpty(past)} />}
    >
      {(data) => data && <Loaded card={card} data={data} strip={children} />}
    </QueryView>
  );
}

type LoadedProps = {
  card: CardPlace;
  data: AdvancedMetrics;
  strip: ReactNode;
};

function Loaded({ card, data, strip }: LoadedProps) {
  const [glossary, setGlossary] = useState(false);
  const newest = newestObservation(collectMetas(data));
  return (
    <Card
      {...card}
      note={newest && <Fresh {...newest} />}
      action={
        <Button
          kind="quiet"
          aria-expanded={glossary}
          aria-controls="glossary"
          onClick={() => setGlossary(!glossary)}
          className="-mr-2.5 -ml-2.5"
        >
          Glossary
          <ChevronDown className={cx('size-3.5 transition-transform', glossary && 'rotate-180')} aria-hidden="true" />
        </Button>
      }
    >
      <div className="flex flex-col gap-3 px-4 pt-1 pb-4">
        <ul
          aria-label="Core metrics, derivatives and on-chain"
          className="grid grid-cols-2 gap-px overflow-hidden rounded-[10px] border border-line bg-line md:grid-cols-3 xl:grid-cols-4 min-[88rem]:grid-cols-6"
        >
          <CoreTiles data={data} />
          <DerivativeTiles data={data.derivatives} />
          <OnchainTiles data={data} />
        </ul>
        {strip}
        <div id="glossary" hidden={!glossary}>
          {glossary && <Glossary />}
        </div>
      </div>
    </Card>
  );
}
