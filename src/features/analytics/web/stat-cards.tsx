import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AnalyticsSummary } from '#features/analytics/contract.ts';
import { type FigureMeta, hasOrigin } from '#shared/figures.ts';
import { compact } from '#shared/format.ts';
import { Badge } from '#ui/badge.tsx';
import { Change } from '#ui/change.tsx';
import { Figure } from '#ui/figure.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { summaryQuery } from './queries.ts';
import { ratio, VOLATILITY_TONES } from './view.ts';

const PLACE = { id: 'statistics', title: 'Market Statistics', className: 'min-h-24' };

export function StatCards() {
  const query = useQuery(summaryQuery);
  return (
    <QueryView query={query} card={PLACE} failed="Failed to load market statistics">
      {({ summary }) => <Cards summary={summary} />}
    </QueryView>
  );
}

function Cards({ summary }: { summary: AnalyticsSummary }) {
  const { bitcoinDominance, totalVolume, volatility, riskAdjustedReturn, avgChange, volatilityLevel, trend, meta } =
    summary;
  return (
    <ul aria-label="Market Statistics" className="flex flex-wrap gap-3">
      <Stat name="Bitcoin Dominance" meta={meta['bitcoinDominance']} note="Of total market cap">
        {bitcoinDominance !== null && `${bitcoinDominance.toFixed(2)}%`}
      </Stat>
      <Stat name="Total Volume" meta={meta['totalVolume']} note={`${summary.assetCount} tracked assets, 24h`}>
        {totalVolume !== null && `$${compact(totalVolume)}`}
      </Stat>
      <Stat
        name="Market Volatility"
        meta={meta['volatility']}
        note={volatilityLevel && <Badge tone={VOLATILITY_TONES[volatilityLevel]}>{volatilityLevel}</Badge>}
      >
        {volatility !== null && `${volatility.toFixed(2)}%`}
      </Stat>
      <Stat name="Risk-Adjusted Return" meta={meta['riskAdjustedReturn']} note="Return per unit of risk">
        {riskAdjustedReturn !== null && ratio(riskAdjustedReturn)}
      </Stat>
      <Stat
        name="Avg Change"
        meta={meta['avgChange']}
        note={trend && <Badge tone={trend === 'Bullish' ? 'up' : 'down'}>{trend}</Badge>}
      >
        {avgChange !== null && <Change value={avgChange} />}
      </Stat>
    </ul>
  );
}

type StatProps = { name: string; meta: FigureMeta | undefined; note: ReactNode; children: ReactNode };

function Stat({ name, meta, note, children }: StatProps) {
  return (
    <li className="card flex min-h-24 min-w-0 flex-col p-3.5" style={{ flex: '1 1 10rem' }}>
      <h3 className="label truncate">{name}</h3>
      <div className="mt-0.5 flex flex-wrap items-center gap-x-2">
        <Figure
          meta={meta}
          name={name}
          stale="chip"
          className="num text-left text-xl font-semibold tracking-[-0.02em] [&_*]:text-[length:inherit]"
        >
          {children}
        </Figure>
      </div>
      <div className="mt-auto min-h-4 pt-1 text-2xs text-ink-3">
        {hasOrigin(meta) ? note : (meta?.reason ?? 'Not collected yet.')}
      </div>
    </li>
  );
}
