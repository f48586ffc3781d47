import { useQuery } from '@tanstack/react-query';

import { Card } from '#ui/card.tsx';
import { cx } from '#ui/cx.ts';
import { Figure } from '#ui/figure.tsx';
import { newestObservation } from '#ui/figure-age.ts';
import { Fresh } from '#ui/fresh.tsx';
import { part } from '#ui/part.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { Empty } from '#ui/states.tsx';

import { Ago, SourceName } from './origin.tsx';
import { HEAD, ScrollBox } from './parts.tsx';
import { onchainQuery } from './queries.ts';
import { metricName, metricTerm, networkName, onchainText } from './view.ts';

const PLACE = { id: 'onchain', title: 'On-Chain Metrics', className: 'min-h-56' };

const Explanation = part<{ metric: string }>({
  name: 'The explanation',
  load: async () => (await import('./term-text.tsx')).Explanation,
  failed: () => '–',
});

export function OnchainCard() {
  const query = useQuery(onchainQuery);
  return (
    <QueryView
      query={query}
      card={PLACE}
      failed="Failed to load on-chain metrics"
      isEmpty={({ onchain }) => onchain.length === 0}
      empty={<Empty title="No on-chain metrics available" note="Data collection is in progress..." />}
    >
      {({ onchain }) => {
        const newest = newestObservation(onchain.map(({ meta }) => meta.value));
        return (
          <Card {...PLACE} note={newest && <Fresh {...newest} />}>
            <ScrollBox label="Metrics of each network">
              <table className="num w-full text-left text-sm">
                <thead>
                  <tr>
                    {['Network', 'Metric', 'Value', 'Explanation', 'Source', 'Last Updated'].map((name) => (
                      <th
                        key={name}
                        scope="col"
                        className={
                          name === 'Value'
                            ? HEAD
                            : cx('label pr-3 pb-1 font-medium whitespace-nowrap', name === 'Explanation' && 'pl-3')
                        }
                      >
                        {name}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody className="[&_td]:border-t [&_td]:border-line [&_th]:border-t [&_th]:border-line">
                  {onchain.map(({ blockchain, metric_type: type, value, source, timestamp, meta }) => (
                    <tr key={`${blockchain} ${type}`}>
                      <td className="py-2 pr-3 text-ink-2">{networkName(blockchain)}</td>
                      <th scope="row" className="pr-3 font-semibold whitespace-nowrap">
                        {metricName(type)}
                      </th>
                      <td className="pl-3 text-right">
                        <Figure meta={meta.value} name={`${metricName(type)}, ${networkName(blockchain)}`}>
                          {value !== null && onchainText(type, value)}
                        </Figure>
                      </td>
                      <td className="min-w-52 px-3 py-2 text-xs text-ink-2">
                        <Explanation metric={metricTerm(type)} />
                      </td>
                      <td className="pr-3 whitespace-nowrap text-ink-2">
                        <SourceName source={source} />
                      </td>
                      <td className="whitespace-nowrap text-ink-3">
                        <Ago at={timestamp} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollBox>
          </Card>
        );
      }}
    </QueryView>
  );
}
