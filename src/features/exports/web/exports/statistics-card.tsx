import { useQuery } from '@tanstack/react-query';
import { grouped } from '#shared/format.ts';
import { Card } from '#ui/card.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { ownZone } from '#ui/zone-field.tsx';
import { momentWords } from './labels.ts';
import { statisticsQuery } from './queries.ts';

const CARD = { id: 'statistics', title: 'Export Statistics', className: 'min-h-36' };
export function StatisticsCard() {
  const query = useQuery(statisticsQuery(useToken()));
  return (
    <QueryView query={query} card={CARD} failed="Failed to load your statistics">
      {({ total, thisMonth, totalMb, today, perDay, resetsAt }) => {
        const figures: [name: string, value: string][] = [
          ['Total exports', grouped(total)],
          ['This month', grouped(thisMonth)],
          ['Total MB', grouped(totalMb, 1)],
        ];
        const isFull = perDay !== null && today >= perDay;
        return (
          <Card {...CARD}>
            <dl className="num grid grid-cols-3 gap-4 px-4 pb-3">
              {figures.map(([name, value]) => (
                <div key={name} className="flex flex-col-reverse justify-end">
                  <dt className="label">{name}</dt>
                  <dd className="text-xl font-semibold tracking-[-0.02em]">{value}</dd>
                </div>
              ))}
            </dl>
            <p className={`border-t border-line px-4 py-3 text-sm ${isFull ? 'font-medium text-warn' : 'text-ink-2'}`}>
              {perDay === null
                ? `${grouped(today)} today, unlimited`
                : `${grouped(today)} of ${grouped(perDay)} exports used today. Resets on ${momentWords(resetsAt, ownZone())}.`}
            </p>
          </Card>
        );
      }}
    </QueryView>
  );
}
