import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { PerformanceCard } from '#features/analysis/web/predictions/performance-card.tsx';
import { CollectCard } from '#features/analytics/web/collect-card.tsx';
import { CorrelationCard, useMatrixSize } from '#features/analytics/web/correlation-card.tsx';
import { DerivativesCard } from '#features/analytics/web/derivatives-card.tsx';
import { Fact, MarketAnalysisCard } from '#features/analytics/web/market-analysis-card.tsx';
import { OnchainCard } from '#features/analytics/web/onchain-card.tsx';
import { RiskCard } from '#features/analytics/web/risk-card.tsx';
import { SentimentCard } from '#features/analytics/web/sentiment-card.tsx';
import type { Asset } from '#features/analytics/web/view.ts';
import { metricsQuery } from '#features/market/web/metrics/queries.ts';
import { compact } from '#shared/format.ts';
import { Button } from '#ui/button.tsx';
import { Change } from '#ui/change.tsx';
import { cx } from '#ui/cx.ts';
import { ErrorBoundary } from '#ui/error-boundary.tsx';
import { Figure } from '#ui/figure.tsx';

export type AnalyticsCardsProps = { asset: Asset; admin: boolean };

/** Everything below the chart and the statistics. */
export function AnalyticsCards({ asset, admin }: AnalyticsCardsProps) {
  const [size] = useMatrixSize();
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className={cx('grid grid-cols-1 gap-3', size === '5 assets' && 'xl:grid-cols-[5fr_7fr]')}>
        <Place name="Correlation Matrix">
          <CorrelationCard />
        </Place>
        <Place name="Risk">
          <RiskCard />
        </Place>
      </div>
      <Place name="AI Prediction Performance">
        <PerformanceCard />
      </Place>
      <div className="grid grid-cols-1 gap-3 md:grid-cols-2">
        <Place name="Market Analysis">
          <MarketAnalysisCard extra={<WholeMarket />} />
        </Place>
        <Place name="Market Sentiment">
          <SentimentCard />
        </Place>
      </div>
      <Place name="Derivatives">
        <DerivativesCard asset={asset} />
      </Place>
      <Place name="On-Chain Metrics">
        <OnchainCard />
      </Place>
      {admin && (
        <Place name="Data Collection">
          <CollectCard />
        </Place>
      )}
    </div>
  );
}

function Place({ name, children }: { name: string; children: ReactNode }) {
  return <ErrorBoundary name={name}>{children}</ErrorBoundary>;
}

/** The additional advanced metrics: the market beyond the tracked assets. */
function WholeMarket() {
  const { data, isError, refetch } = useQuery(metricsQuery);
  if (!data)
    return (
      isError && (
        <Fact name="Total Market Cap">
          <span className="text-ink-3">could not be loaded</span>
          <Button kind="quiet" onClick={() => void refetch()}>
            Retry
          </Button>
        </Fact>
      )
    );
  const { value, change_24h: change, meta } = data.totalMarketCap;
  return (
    <Fact name="Total Market Cap">
      <Figure meta={meta['value']} name="Total Market Cap">
        {value !== null && `$${compact(value)}`}
      </Figure>
      <Figure meta={meta['change_24h']} name="Total market cap, 24h change" className="text-ink-2">
        {change !== null && <Change value={change} />}
      </Figure>
    </Fact>
  );
}
