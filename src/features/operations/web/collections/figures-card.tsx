import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import type { CollectionName, Overview } from '#features/operations/contract/collections.ts';
import { grouped } from '#shared/format.ts';
import { Card } from '#ui/card.tsx';
import { Link } from '#ui/link.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { AsOf } from './as-of.tsx';
import { counted } from './labels.ts';
import { overviewQuery } from './queries.ts';

const CARD = { id: 'overview-figures', title: 'Data and Users', className: 'min-h-88' };
const PLANS = ['free', 'pro', 'premium', 'admin'] as const;
const BAR_REM = 3;

function listCounters({ collections }: Overview): [name: string, value: string, tab: string][] {
  const of = (name: CollectionName) => {
    const found = collections.find(({ collection }) => collection === name);
    return found ? counted(found) : '–';
  };
  const total = {
    count: collections.reduce((sum, { count }) => sum + count, 0),
    estimated: collections.some(({ estimated }) => estimated),
  };
  return [
    ['Total collections', grouped(collections.length), 'collections'],
    ['AI analyses', of('ai_analysis'), 'ai'],
    ['Total records', counted(total), 'collections'],
    ['Active users', of('users'), 'users'],
  ];
}

/** Volume of data, sign-ups and plans. */
export function FiguresCard() {
  const query = useQuery(overviewQuery(useToken()));
  return (
    <QueryView query={query} card={CARD} failed="Failed to load admin data">
      {(overview) => (
        <Card {...CARD} note={<AsOf at={Date.parse(overview.at)} failed={query.isError} />}>
          <ul aria-label="Counters" className="grid grid-cols-2 gap-3 px-4 pt-1 pb-4 sm:grid-cols-4">
            {listCounters(overview).map(([name, value, tab]) => (
              <li key={name} className="grid min-w-0">
                <Link to={`/app/admin?tab=${tab}`} className="rounded-ctl hover:bg-raised">
                  <span className="label block">{name}</span>
                  <span className="num block text-xl font-semibold tracking-[-0.02em]">{value}</span>
                </Link>
              </li>
            ))}
          </ul>
          <div className="grid gap-4 border-t border-line px-4 py-3 sm:grid-cols-2">
            <SignUps days={overview.signUps} />
            <Plans plans={overview.plans} />
          </div>
        </Card>
      )}
    </QueryView>
  );
}

const Heading = ({ children }: { children: ReactNode }) => (
  <h3 className="text-sm font-medium text-ink-2">{children}</h3>
);

function SignUps({ days }: { days: Overview['signUps'] }) {
  const total = days.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(1, ...days.map(({ count }) => count));
  return (
    <div>
      <Heading>
        Sign-ups, last 7 days: <span className="num text-ink">{grouped(total)}</span>
      </Heading>
      <ol aria-label="Sign-ups by day" className="flex items-end gap-1.5 pt-2">
        {days.map(({ day, count: n }) => (
          <li key={day} className="min-w-0 flex-1 text-center">
            <span className="num label block">{n}</span>
            <span
              aria-hidden="true"
              className={`block rounded-chip ${n > 0 ? 'bg-accent' : 'bg-raised'}`}
              style={{ height: `${n > 0 ? Math.max(0.25, (n / most) * BAR_REM) : 0.25}rem` }}
            />
            <time dateTime={day} className="num label block">
              {day.slice(8)}
            </time>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Plans({ plans }: { plans: Overview['plans'] }) {
  const total = Math.max(
    1,
    PLANS.reduce((sum, plan) => sum + plans[plan], 0),
  );
  return (
    <div>
      <Heading>Plans in use</Heading>
      <dl className="grid gap-2 pt-2">
        {PLANS.map((plan) => (
          <div key={plan} className="grid grid-cols-[6rem_1fr_auto] items-center gap-2 text-sm">
            <dt>{PLAN_NAMES[plan]}</dt>
            <dd aria-hidden="true" className="h-1.5 overflow-hidden rounded-full bg-raised">
              <span
                className="block h-1.5 rounded-full bg-accent"
                style={{ width: `${(plans[plan] / total) * 100}%` }}
              />
            </dd>
            <dd className="num font-medium">{grouped(plans[plan])}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
