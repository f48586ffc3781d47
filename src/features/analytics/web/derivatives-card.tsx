import { useQuery } from '@tanstack/react-query';

import { compact } from '#shared/format.ts';
import { Card } from '#web/ui/card.tsx';
import { CoinMark } from '#web/ui/coin-mark.tsx';
import { Figure } from '#web/ui/figure.tsx';
import { newestOf } from '#web/ui/figure-age.ts';
import { Fresh } from '#web/ui/fresh.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { Empty } from '#web/ui/states.tsx';

import { derivativesQuery } from './queries.ts';
import { ScrollBox } from './scroll-box.tsx';
import { BODY, HEAD } from './table.ts';
import { rate } from './words.ts';

const PLACE = { id: 'derivatives', title: 'Derivatives', className: 'min-h-96' };

export function DerivativesCard() {
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
        const newest = newestOf(derivatives.flatMap(({ meta }) => Object.values(meta)));
        return (
          <Card {...PLACE} note={newest && <Fresh {...newest} />}>
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
                  {derivatives.map((row) => {
                    const { asset, source, derivative_type: type, meta } = row;
                    const of = `${asset}, ${source}`;
                    return (
                      <tr key={`${asset} ${source}`}>
                        <th scope="row" className="text-left font-semibold">
                          <span className="flex items-center gap-2">
                            <CoinMark symbol={asset} size={18} />
                            {asset}
                          </span>
                        </th>
                        <td className="pl-3 text-ink-2 capitalize">{type}</td>
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
                  })}
                </tbody>
              </table>
            </ScrollBox>
          </Card>
        );
      }}
    </QueryView>
  );
}
