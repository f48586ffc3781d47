import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type AdminPayment, addCredit, assignSuspense, type SuspenseItem } from '#features/payments/contract/books.ts';
import { dateTime } from '#shared/format.ts';
import { callWithProof } from '#ui/api/proof.ts';
import { Field } from '#ui/field.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
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
  /** Money that came without an owner; without it the credit is a gift. */
  item?: SuspenseItem;
  onClose: () => void;
};

/** Puts money on somebody's balance: a gift, or what came without an owner. */
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
