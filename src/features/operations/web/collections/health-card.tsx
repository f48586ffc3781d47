import { useQuery } from '@tanstack/react-query';

import type { Health } from '#features/operations/contract/health.ts';
import { dateTime } from '#shared/format.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { QueryView } from '#ui/query-view.tsx';

import { AsOf } from './as-of.tsx';
import { healthQuery } from './queries.ts';
import { type Tile, Tiles } from './tiles.tsx';

const CARD = { id: 'overview-health', title: 'Health', className: 'min-h-88' };
const FAILING = new Set(['down', 'rate_limited', 'stale']);
const NAMED = 3;

function sourcesTile({ sources }: Health): Tile {
  const failing = sources.filter(({ state }) => FAILING.has(state)).map(({ name }) => name);
  const shut = sources.filter(({ state }) => state === 'key_missing').length;
  const refused = sources.filter(({ state }) => state === 'refused_region').length;
  const rest = failing.length - NAMED;
  const keys = (refused > 0 ? `, ${refused} blocked in this region` : '') + (shut > 0 ? `, ${shut} missing a key` : '');
  return {
    name: 'Sources',
    value: failing.length === 0 ? 'All healthy' : `${failing.length} failing`,
    note:
      failing.length === 0
        ? `${sources.length - shut - refused} queried${keys}`
        : failing.slice(0, NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : ''),
    to: '/app/admin?tab=sources',
    tone: failing.length === 0 ? undefined : 'warn',
  };
}

/** '12 d', '5 h', '20 min' */
function spanWords(days: number): string {
  if (days >= 1) return `${Math.round(days)} d`;
  return days * 24 >= 1 ? `${Math.round(days * 24)} h` : `${Math.round(days * 1440)} min`;
}

function uptimeTile({ uptime: { percent, windowDays, targetPercent } }: Health): Tile {
  return {
    name: 'Uptime',
    value: percent === null ? '–' : `${percent.toFixed(2)}%`,
    note: percent === null ? 'Measured after ten minutes' : `over ${spanWords(windowDays)}, target ${targetPercent}%`,
    to: '/app/admin?tab=status',
    tone: percent !== null && percent < targetPercent ? 'warn' : undefined,
  };
}

const buildTiles = (health: Health): Tile[] => [
  {
    name: 'Database',
    value: health.database.writable ? 'Writable' : 'Not writable',
    note: health.database.note ?? `PostgreSQL ${health.database.version}, ${health.database.kind}`,
    to: '/app/admin?tab=collections',
    tone: health.database.writable && health.database.note === null ? undefined : 'down',
  },
  sourcesTile(health),
  {
    name: 'Exports',
    value: health.exports.writable ? 'Writable' : 'Not writable',
    note: health.exports.note ?? 'Folder writable',
    to: '/app/admin?tab=jobs',
    tone: health.exports.writable ? undefined : 'down',
  },
  uptimeTile(health),
  {
    name: 'Version',
    value: health.version,
    note: `${health.dataMode === 'demo' ? 'Demo' : 'Live'} data, started ${dateTime(Date.parse(health.startedAt))}`,
    to: '/app/admin?tab=status',
  },
];

/** Health of the product: database, sources, exports, uptime. */
export function HealthCard() {
  const query = useQuery(healthQuery());
  return (
    <QueryView query={query} card={CARD} failed="Failed to load admin data">
      {({ health, at }) => (
        <Card
          {...CARD}
          note={
            <span className="flex flex-wrap items-center gap-2">
              {health.status === 'ok' ? <Badge tone="up">Healthy</Badge> : <Badge tone="down">Degraded</Badge>}
              <AsOf at={at} failed={query.isError} />
            </span>
          }
        >
          <div className="px-4 pt-1 pb-4">
            <Tiles label="Health" tiles={buildTiles(health)} />
          </div>
        </Card>
      )}
    </QueryView>
  );
}
