import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { useToken } from '#web/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { Empty } from '#web/ui/states.tsx';

import type { SuspenseItem } from '../contract.ts';
import { CreditDialog } from './credit-dialog.tsx';
import { suspenseQuery } from './queries.ts';
import { METHODS, usd, when } from './words.ts';

const CARD = { id: 'suspense', title: 'Money without an owner', className: 'min-h-40' };

export function SuspenseCard() {
  const query = useQuery(suspenseQuery(useToken()));
  const [chosen, choose] = useState<SuspenseItem | null>(null);
  return (
    <>
      <QueryView
        query={query}
        card={CARD}
        failed="Failed to load admin data"
        isEmpty={(items) => items.length === 0}
        empty={
          <Empty
            title="Nothing is waiting"
            note="Transfers that name no payment appear here until someone claims them."
          />
        }
      >
        {(items) => (
          <Card {...CARD}>
            <ul className="border-t border-line">
              {items.map((item) => (
                <li
                  key={`${item.tx} ${item.idx}`}
                  className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-4 py-3 text-sm first:border-t-0"
                >
                  <div className="min-w-0 flex-1">
                    <p>
                      <span className="num font-medium">{usd(item.amount)}</span>{' '}
                      <span className="text-ink-2">
                        {METHODS[item.network]}, {when(item.at)}
                      </span>
                    </p>
                    <p className="num label break-all">
                      {item.tx} from {item.sender}
                    </p>
                    {item.claims.map(({ id, email, userId }) => (
                      <p key={id} className="text-ink-2">
                        Claimed by {email ?? `account ${userId}, which is gone`}
                      </p>
                    ))}
                  </div>
                  <Button
                    onClick={() => choose(item)}
                    aria-label={`Give ${usd(item.amount)} to its owner`}
                    className="max-sm:h-10"
                  >
                    Give to its owner
                  </Button>
                </li>
              ))}
            </ul>
          </Card>
        )}
      </QueryView>
      {chosen && <CreditDialog item={chosen} onClose={() => choose(null)} />}
    </>
  );
}
