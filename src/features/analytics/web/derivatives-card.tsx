import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';

import type { DerivativeRow } from '#features/market/contract/metrics.ts';
import { compact } from '#shared/format.ts';
import { useAddressFlag } from '#ui/address-filter.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { CoinMark } from '#ui/coin-mark.tsx';
import { Figure } from '#ui/figure.tsx';
import { newestObservation } from '#ui/figure-age.ts';
import { Fresh } from '#ui/fresh.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { Empty } from '#ui/states.tsx';
import { BODY, HEAD, ScrollBox } from './parts.tsx';
import { derivativesQuery } from './queries.ts';
import { type Asset, rate } from './view.ts';

const PLACE = { id: 'derivatives', title: 'Derivatives', className: 'min-h-56' };

export function DerivativesCard({ asset }: { asset: Asset }) {
  const query = useQuery(derivativesQuery);
  return (
    <QueryView
      query={query}
      card={PLACE}
      failed="Failed to load derivatives"
      isEmpty={({ derivatives }) => derivatives.length === 0}
      empty={<Empty title="No derivatives data available" note="Data collection is in progress..." />}
    >
      {({ derivatives }) => {
        const newest = newestObservation(derivatives.flatMap(({ meta }) => Object.values(meta)));
        return (
          <Card {...PLACE} note={newest && <Fresh {...newest} />}>
            <Table rows={derivatives} asset={asset} />
          </Card>
        );
      }}
    </QueryView>
  );
}

/** The venues of the charted asset; the rest on demand. */
function Table({ rows, asset }: { rows: readonly DerivativeRow[]; asset: Asset }) {
  const id = useId();
  const [all, setAll] = useAddressFlag('all-venues');
  const own = rows.filter((row) => row.asset === asset);
  const others = rows.filter((row) => row.asset !== asset);
  const shown = all || own.length === 0 ? [...own, ...others] : own;
  return (
    <div id={id}>
      <ScrollBox label="Derivatives of each venue">
        <table className="num w-full text-sm">
          <thead>
            <tr>
              <th scope="col" className="label pb-1 text-left font-medium">
                Asset
              </th>
              {['Type', 'Open Interest', 'Funding Rate, 8h', '24h Volume', 'Source'].map((name) => (
                <th key={name} scope="col" className={HEAD}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className={BODY}>
            {shown.map((row) => (
              <Venue key={`${row.asset} ${row.source}`} row={row} />
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {own.length > 0 && others.length > 0 && (
        <Button
          kind="quiet"
          aria-expanded={all}
          aria-controls={id}
          className="mb-2 ml-2 max-sm:h-11!"
          onClick={() => setAll(!all)}
        >
          {all ? `Only ${asset}` : `Show all ${rows.length}`}
        </Button>
      )}
    </div>
  );
}

function Venue({ row }: { row: DerivativeRow }) {
  const { asset, source, derivative_type: type, meta } = row;
  const of = `${asset}, ${source}`;
  return (
    <tr>
      <th scope="row" className="text-left font-semibold">
        <span className="flex items-center gap-2">
          <CoinMark symbol={asset} size={18} />
          {asset}
        </span>
      </th>
      <td className="pl-3 text-ink-2">{type.charAt(0).toUpperCase() + type.slice(1)}</td>
      <td className="pl-3">
        <Figure meta={meta['open_interest']} name={`Open interest, ${of}`}>
          {row.open_interest !== null && `$${compact(row.open_interest)}`}
        </Figure>
      </td>
      <td className="pl-3">
        <Figure meta={meta['funding_rate']} name={`Funding rate, ${of}`}>
          {row.funding_rate !== null && rate(row.funding_rate)}
        </Figure>
      </td>
      <td className="pl-3">
        <Figure meta={meta['volume_24h']} name={`24h volume, ${of}`}>
          {row.volume_24h !== null && `$${compact(row.volume_24h)}`}
        </Figure>
      </td>
      <td className="pl-3 whitespace-nowrap text-ink-2">{source}</td>
    </tr>
  );
}
