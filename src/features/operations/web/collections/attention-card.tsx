import { useQuery } from '@tanstack/react-query';
import type { Overview } from '#features/operations/contract/collections.ts';
import { grouped } from '#shared/format.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { AsOf } from './as-of.tsx';
import { overviewQuery } from './queries.ts';
import { type Tile, Tiles } from './tiles.tsx';

const CARD = { id: 'overview-attention', title: 'Needs Attention', className: 'min-h-88' };

const ERROR_WORDS: Record<keyof Overview['errors'], string> = {
  api_failure: 'API failures',
  data_collection: 'data collection',
  authentication: 'authentication',
  system: 'system',
  other: 'other',
};

function errorsTile({ errors }: Overview): Tile {
  const types = Object.entries(errors) as [keyof Overview['errors'], number][];
  const total = types.reduce((sum, [, n]) => sum + n, 0);
  const most = types
    .filter(([, n]) => n > 0)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 2)
    .map(([type, n]) => `${grouped(n)} ${ERROR_WORDS[type]}`);
  return {
    name: 'Errors',
    value: grouped(total),
    note: total === 0 ? 'None in the last 24h' : `Last 24h: ${most.join(', ')}`,
    to: '/app/errors',
    tone: total > 0 ? 'warn' : undefined,
  };
}

const tab = (id: string) => `/app/admin?tab=${id}`;

function buildTiles(overview: Overview): Tile[] {
  const { unreadMessages, failedDeliveries, failedJobs, failedMails, suspense } = overview;
  const tile = (name: string, n: number, note: string, to: string, tone: Tile['tone'] = 'warn'): Tile => ({
    name,
    value: grouped(n),
    note,
    to: tab(to),
    tone: n > 0 ? tone : undefined,
  });
  return [
    tile('Unread messages', unreadMessages, 'To support', 'messages'),
    errorsTile(overview),
    tile('Failed jobs', failedJobs, 'Last 24h', 'jobs', 'down'),
    tile('Failed deliveries', failedDeliveries, 'Last 30 days', 'deliveries'),
    tile('Failed emails', failedMails, 'Not accepted for delivery', 'mail'),
    tile(
      'Unclaimed payments',
      suspense.count,
      suspense.count === 0 ? 'Nothing unclaimed' : `$${suspense.usd} in total`,
      'payments',
      'down',
    ),
  ];
}

/** Items that need an administrator. */
export function AttentionCard() {
  const query = useQuery(overviewQuery(useToken()));
  return (
    <QueryView query={query} card={CARD} failed="Failed to load admin data">
      {(overview) => {
        const tiles = buildTiles(overview);
        const waiting = tiles.filter(({ tone }) => tone !== undefined).length;
        return (
          <Card
            {...CARD}
            note={
              <span className="flex flex-wrap items-center gap-2">
                {waiting === 0 ? (
                  <Badge tone="up">Nothing unclaimed</Badge>
                ) : (
                  <Badge tone="warn">{`${waiting} to review`}</Badge>
                )}
                <AsOf at={Date.parse(overview.at)} failed={query.isError} />
              </span>
            }
          >
            <div className="px-4 pt-1 pb-4">
              <Tiles label="Needs Attention" tiles={tiles} />
            </div>
          </Card>
        );
      }}
    </QueryView>
  );
}
