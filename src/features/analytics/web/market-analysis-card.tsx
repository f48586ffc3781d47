import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AnalyticsSummary } from '#features/analytics/contract.ts';
import { compact } from '#shared/format.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { Change } from '#ui/change.tsx';
import { Figure } from '#ui/figure.tsx';
import { newestObservation } from '#ui/figure-age.ts';
import { Fresh } from '#ui/fresh.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { summaryQuery } from './queries.ts';
import { VOLATILITY_TONES } from './view.ts';

const PLACE = { id: 'market-analysis', title: 'Market Analysis', className: 'min-h-56' };

/** `extra` shows figures from other requests of the page. */
export function MarketAnalysisCard({ extra }: { extra?: ReactNode }) {
  const query = useQuery(summaryQuery);
  return (
    <QueryView query={query} card={PLACE} failed="Failed to load the market analysis">
      {({ summary }) => (
        <Card {...PLACE} note={<Age summary={summary} />}>
          <Facts summary={summary} extra={extra} />
        </Card>
      )}
    </QueryView>
  );
}

function Age({ summary }: { summary: AnalyticsSummary }) {
  const newest = newestObservation(Object.values(summary.meta));
  return newest && <Fresh {...newest} />;
}

function Facts({ summary, extra }: { summary: AnalyticsSummary; extra: ReactNode }) {
  const { assetCount, bitcoinDominance, totalVolume, avgChange, trend, volatility, volatilityLevel, meta } = summary;
  return (
    <dl className="num px-4 pb-3 text-sm">
      <Fact name="Tracked Assets">{assetCount}</Fact>
      <Fact name="BTC Dominance">
        <Figure meta={meta['bitcoinDominance']} name="BTC Dominance">
          {bitcoinDominance !== null && `${bitcoinDominance.toFixed(2)}%`}
        </Figure>
      </Fact>
      <Fact name="Total Volume">
        <Figure meta={meta['totalVolume']} name="Total Volume">
          {totalVolume !== null && `$${compact(totalVolume)}`}
        </Figure>
      </Fact>
      <Fact name="Market Trend">
        {trend ? <Badge tone={trend === 'Bullish' ? 'up' : 'down'}>{trend}</Badge> : '–'}
        <Figure meta={meta['avgChange']} name="Avg Change, which determines the trend" className="text-ink-2">
          {avgChange !== null && <Change value={avgChange} />}
        </Figure>
      </Fact>
      <Fact name="Volatility Level">
        {volatilityLevel ? <Badge tone={VOLATILITY_TONES[volatilityLevel]}>{volatilityLevel}</Badge> : '–'}
        <Figure meta={meta['volatility']} name="Volatility, which determines the level" className="text-ink-2">
          {volatility !== null && `${volatility.toFixed(2)}%`}
        </Figure>
      </Fact>
      {extra}
    </dl>
  );
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-9 items-center justify-between gap-3 border-t border-line">
      <dt className="text-ink-2">{name}</dt>
      <dd className="flex items-center gap-2 text-right font-medium">{children}</dd>
    </div>
  );
}
