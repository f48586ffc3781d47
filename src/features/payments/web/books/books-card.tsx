import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type AdminPayment,
  addCredit,
  assignSuspense,
  type Books,
  getBooks,
  listPayments,
  listSuspense,
  type SuspenseItem,
} from '#features/payments/contract/books.ts';
import { dateTime, grouped } from '#shared/format.ts';
import { call } from '#ui/api/client.ts';
import { callWithProof } from '#ui/api/proof.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { CornerButton } from '#ui/corner-button.tsx';
import { Field } from '#ui/field.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { toast } from '#ui/toast.ts';
import { useSubmit } from '#ui/use-submit.ts';

export const METHODS: Record<AdminPayment['method'], string> = {
  card: 'Card',
  base: 'USDC on Base',
  solana: 'USDC on Solana',
};

/** '$29.99', '−$5.00' */
export const usd = (amount: string): string => (amount.startsWith('-') ? `−$${amount.slice(1)}` : `$${amount}`);

export const when = (iso: string): string => dateTime(Date.parse(iso));

type Props = {
  /** An unmatched deposit; without it the credit is a gift. */
  item?: SuspenseItem;
  onClose: () => void;
};

/** Credits an account's balance: a gift or an unmatched deposit. */
export function CreditDialog({ item, onClose }: Props) {
  const queries = useQueryClient();
  const [email, setEmail] = useState(item?.claims[0]?.email ?? '');
  const [amount, setAmount] = useState('');
  const [note, setNote] = useState('');
  const { busy, failure, submit } = useSubmit('Failed to add the credit', async (signal) => {
    const words = { email: email.trim(), note: note.trim() };
    const done = item
      ? await callWithProof(
          assignSuspense,
          { body: { ...words, network: item.network, tx: item.tx, idx: item.idx } },
          signal,
        )
      : await callWithProof(addCredit, { body: { ...words, amount: amount.trim() } }, signal);
    if (!done) return;
    toast('success', `${words.email} now has a balance of ${usd(done.credit)}`);
    for (const name of ['admin-books', 'admin-payments', 'admin-suspense'])
      void queries.invalidateQueries({ queryKey: [name] });
    onClose();
  });
  return (
    <FormDialog
      title={item ? 'Assign to account' : 'Add credit'}
      act={item ? 'Assign' : 'Add Credit'}
      busy={busy}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="text-ink-2">
        {item
          ? `${usd(item.amount)}, ${METHODS[item.network]}, from ${item.sender}. Credit it only to someone who has proved it is theirs.`
          : 'Adds to the account balance and applies to the next purchase. Recorded under your name.'}
      </p>
      <Field
        label="Account email"
        type="email"
        required
        autoComplete="off"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      {!item && (
        <Field
          label="US dollars"
          inputMode="decimal"
          required
          placeholder="29.99"
          autoComplete="off"
          value={amount}
          onChange={(event) => setAmount(event.target.value)}
        />
      )}
      <Field
        label="Note"
        required
        placeholder="Reason (recorded under your name)"
        maxLength={500}
        autoComplete="off"
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
    </FormDialog>
  );
}

const booksQuery = (token: string | null) =>
  queryOptions({ queryKey: ['admin-books', token], queryFn: ({ signal }) => call(getBooks, {}, signal) });

export const paymentsQuery = (token: string | null, q: string, before: string | null) =>
  queryOptions({
    queryKey: ['admin-payments', token, q, before],
    queryFn: ({ signal }) =>
      call(listPayments, { query: { ...(q ? { q } : {}), ...(before === null ? {} : { before }) } }, signal),
  });

export const suspenseQuery = (token: string | null) =>
  queryOptions({ queryKey: ['admin-suspense', token], queryFn: ({ signal }) => call(listSuspense, {}, signal) });

const CARD = { id: 'books', title: 'Books', className: 'relative min-h-88' };

/** Assets, liabilities, revenue and the state of each payment method. */
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
