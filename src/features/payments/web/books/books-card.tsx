import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Books } from '#features/payments/contract/books.ts';
import { grouped } from '#shared/format.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { CornerButton } from '#ui/corner-button.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { CreditDialog, METHODS, usd, when } from './credit-dialog.tsx';
import { booksQuery } from './queries.ts';

const CARD = { id: 'books', title: 'Books', className: 'relative min-h-40' };

/** What is held, owed and earned, and by which ways people can pay. */
export function BooksCard() {
  const query = useQuery(booksQuery(useToken()));
  const [crediting, setCrediting] = useState(false);
  return (
    <QueryView query={query} card={CARD} failed="Failed to load admin data">
      {(books) => (
        <Card {...CARD}>
          <CornerButton onClick={() => setCrediting(true)}>Add credit</CornerButton>
          <div className="grid gap-4 px-4 pt-1 pb-4">
            {books.difference !== '0.00' && (
              <p role="alert" className="rounded-ctl bg-warn/10 px-3 py-2 text-sm font-medium text-warn">
                The books differ by {usd(books.difference)}. Hold all payouts until this is resolved.
              </p>
            )}
            <Sums books={books} />
            <Rails rails={books.rails} />
          </div>
          {crediting && <CreditDialog onClose={() => setCrediting(false)} />}
        </Card>
      )}
    </QueryView>
  );
}

function Sums({ books: { held, credit, suspense, revenue, goodwill, loss } }: { books: Books }) {
  const sums = [
    ['USDC on Base', held.base],
    ['USDC on Solana', held.solana],
    ['By card', held.stripe],
    ['Earned', revenue],
    ['User balances', credit],
    ['Unmatched deposits', suspense],
    ['Goodwill credit', goodwill],
    ['Lost to chain reorganizations', loss],
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {sums.map(([name, amount]) => (
        <div key={name} className="min-w-0">
          <dt className="label">{name}</dt>
          <dd className="num text-lg font-semibold break-all">{usd(amount)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Rails({ rails }: Pick<Books, 'rails'>) {
  return (
    <ul className="text-sm">
      {rails.map(({ method, closed, goesTo, head, lookedAt }) => (
        <li key={method} className="grid gap-1 border-t border-line py-2">
          <span className="flex flex-wrap items-center gap-2">
            <span className="font-medium">{METHODS[method]}</span>
            {closed === null ? <Badge tone="up">Open</Badge> : <Badge tone="warn">Closed</Badge>}
            {lookedAt && head !== null && (
              <span className="num label">
                Block {grouped(head)}, checked {when(lookedAt)}
              </span>
            )}
          </span>
          {closed !== null && <span className="text-ink-2">{closed}</span>}
          {goesTo !== null && <span className="num break-all text-ink-2">Paid to {goesTo}</span>}
        </li>
      ))}
    </ul>
  );
}
