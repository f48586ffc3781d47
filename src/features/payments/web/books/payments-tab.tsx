import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminPayment, SuspenseItem } from '#features/payments/contract/books.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { SearchBox } from '#ui/search-box.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import { BooksCard, CreditDialog, METHODS, paymentsQuery, suspenseQuery, usd, when } from './books-card.tsx';

const CARD = { id: 'suspense', title: 'Unclaimed Payments', className: 'min-h-40' };

function SuspenseCard() {
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
            title="Nothing unclaimed"
            note="Transfers without a matching payment appear here until they are claimed."
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
                        Claimed by {email ?? `deleted account ${userId}`}
                      </p>
                    ))}
                  </div>
                  <Button
                    onClick={() => choose(item)}
                    aria-label={`Assign ${usd(item.amount)} to an account`}
                    className="max-sm:h-10"
                  >
                    Assign
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

const LONGEST_SEARCH = 254;
const STATES: Record<AdminPayment['state'], { words: string; tone: Tone }> = {
  open: { words: 'Open', tone: 'plain' },
  partial: { words: 'Partially paid', tone: 'warn' },
  paid: { words: 'Paid', tone: 'accent' },
  applied: { words: 'Plan granted', tone: 'up' },
  expired: { words: 'Expired', tone: 'plain' },
  failed: { words: 'Failed', tone: 'down' },
  refunded: { words: 'Refunded', tone: 'warn' },
};

export function PaymentsTab() {
  const [q, search] = useState('');
  const [starts, setStarts] = useState<readonly (string | null)[]>([null]);
  return (
    <div className="grid gap-3">
      <BooksCard />
      <SuspenseCard />
      <Card id="payments" title="Payments" className="min-h-40">
        <div className="px-4 pt-1 pb-3">
          <SearchBox
            label="Search by email or id"
            value={q}
            longest={LONGEST_SEARCH}
            onSearch={(text) => {
              search(text);
              setStarts([null]);
            }}
          />
        </div>
        <ul className="border-t border-line">
          {starts.map((before) => (
            <Page
              key={`${q} ${before}`}
              q={q}
              before={before}
              last={before === starts.at(-1)}
              onMore={(next) => setStarts([...starts, next])}
            />
          ))}
        </ul>
      </Card>
    </div>
  );
}

type PageProps = { q: string; before: string | null; last: boolean; onMore: (before: string) => void };

function Page({ q, before, last, onMore }: PageProps) {
  const query = useQuery(paymentsQuery(useToken(), q, before));
  const payments = query.data?.payments ?? [];
  const oldest = payments.at(-1);
  return (
    <>
      {payments.length === 0 && (
        <li>
          <QueryView
            query={query}
            failed="Failed to load admin data"
            loading={<div className="skel m-4 h-20" aria-hidden="true" />}
            isEmpty={() => true}
            empty={q ? <Empty title="No payments found" /> : <Empty title="No payments yet" />}
          >
            {() => null}
          </QueryView>
        </li>
      )}
      {payments.map((payment) => (
        <Row key={payment.id} payment={payment} />
      ))}
      {last && query.data?.more && oldest && (
        <li className="border-t border-line px-4 py-3 text-center">
          <Button onClick={() => onMore(oldest.at)} className="max-sm:h-10">
            Load more
          </Button>
        </li>
      )}
    </>
  );
}

function Row({ payment: { id, at, userId, email, method, what, due, paid, state } }: { payment: AdminPayment }) {
  const { words, tone } = STATES[state];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-4 py-3 text-sm first:border-t-0">
      <div className="min-w-0 grow max-sm:w-full">
        <p className="font-medium break-all">{email ?? `Deleted account ${userId}`}</p>
        <p className="num label break-all">
          {when(at)} · {id}
        </p>
      </div>
      <span className="text-ink-2">
        {what}, {METHODS[method]}
      </span>
      <span className="num text-right">
        <span className="font-medium">{usd(paid)}</span> <span className="text-ink-3">of {usd(due)}</span>
      </span>
      <Badge tone={tone}>{words}</Badge>
    </li>
  );
}
