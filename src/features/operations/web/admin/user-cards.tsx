import type { ReactNode } from 'react';

import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import type { PlanFact, UserDetail } from '#features/operations/contract/admin.ts';
import { dateTime } from '#shared/format.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { dayOf } from '#ui/day.ts';
import { Empty } from '#ui/states.tsx';
import { Party } from './audit-row.tsx';
import { CHANNELS, DELIVERY, sourceWords } from './user-words.ts';

const ROW = 'border-t border-line px-4 py-2.5 text-sm first:border-t-0';
const when = (iso: string) => dateTime(Date.parse(iso));

/** Title, what explains it, and how it stands at the right end. */
export function Item({ title, state, children }: { title: ReactNode; state?: ReactNode; children?: ReactNode }) {
  return (
    <li className={ROW}>
      <div className="flex items-start justify-between gap-3">
        <p className="min-w-0 font-medium [overflow-wrap:anywhere]">{title}</p>
        {state}
      </div>
      {children}
    </li>
  );
}

export function LedgerCard({ facts }: { facts: readonly PlanFact[] }) {
  return (
    <Card id="user-plan" title="Plan" note={<span className="label">every grant, newest first</span>}>
      {facts.length === 0 ? (
        <Empty title="No plan has been set" note="The account has been on Free since it was created." />
      ) : (
        <ul>
          {facts.map(({ id, plan, source, from, until, by, note, inForce }) => (
            <Item
              key={id}
              title={`${PLAN_NAMES[plan]}: ${sourceWords(source)}`}
              state={inForce && <Badge tone="up">Active</Badge>}
            >
              <p className="num text-xs text-ink-3">
                {dayOf(from)} to {until === null ? 'no end' : dayOf(until)}
                {by && (
                  <>
                    {' '}
                    · by <Party party={by} />
                  </>
                )}
              </p>
              {note && <p className="text-ink-2 [overflow-wrap:anywhere]">{note}</p>}
            </Item>
          ))}
        </ul>
      )}
    </Card>
  );
}

export function DeliveriesCard({ deliveries }: { deliveries: UserDetail['deliveries'] }) {
  return (
    <Card id="user-deliveries" title="Deliveries" note={<span className="label">latest 50, kept for 30 days</span>}>
      {deliveries.length === 0 ? (
        <Empty title="Nothing sent yet" />
      ) : (
        <ul>
          {deliveries.map(({ id, title, channel, state, queuedAt, tries, note }) => (
            <Item key={id} title={title} state={<Badge tone={DELIVERY[state].tone}>{DELIVERY[state].words}</Badge>}>
              <p className="num text-xs text-ink-3">
                {[CHANNELS[channel], when(queuedAt), tries === 1 ? '1 try' : `${tries} tries`].join(' · ')}
              </p>
              {note && <p className="text-xs [overflow-wrap:anywhere] text-ink-2">{note}</p>}
            </Item>
          ))}
        </ul>
      )}
    </Card>
  );
}

export function KeysCard({ keys }: { keys: UserDetail['keys'] }) {
  return (
    <Card id="user-keys" title="API keys">
      {keys.length === 0 ? (
        <Empty title="No active API keys" />
      ) : (
        <ul>
          {keys.map(({ id, name, scopes, createdAt, lastUsed }) => (
            <Item key={id} title={name}>
              <p className="num text-xs text-ink-3">
                {[
                  `made ${dayOf(createdAt)}`,
                  lastUsed === null ? 'never used' : `last used ${when(lastUsed)}`,
                  scopes.join(', '),
                ].join(' · ')}
              </p>
            </Item>
          ))}
        </ul>
      )}
    </Card>
  );
}
