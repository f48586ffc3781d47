import { useState } from 'react';
import { claimTransfer, getClaimMessage } from '#features/payments/contract/usdc.ts';
import { call } from '#ui/api/client.ts';
import { Card } from '#ui/card.tsx';
import { Field } from '#ui/field.tsx';
import { FormError, FormNote, SECONDARY } from '#ui/form.tsx';
import { Told, useSubmit } from '#ui/use-submit.ts';
import { WalletError } from './wallets/wallet.ts';

const FAILED = 'Couldn’t claim the transfer. Please try again.';

/** Undefined when no wallet in this browser can sign. */
async function fetchSignature(tx: string, signal: AbortSignal): Promise<string | undefined> {
  const { findSigners } = await import('./wallets/solana.ts');
  const [signer] = findSigners();
  if (!signer) return undefined;
  const { message } = await call(getClaimMessage, { query: { tx } }, signal);
  try {
    return await signer.sign(message);
  } catch (error) {
    throw error instanceof WalletError ? new Told(error.message) : error;
  }
}

/** Claims a deposit to our Solana account that could not be matched to an account. */
export function ClaimCard() {
  const [open, setOpen] = useState(false);
  const [tx, setTx] = useState('');
  const [done, setDone] = useState<string>();
  const { busy, failure, submit } = useSubmit(FAILED, async (signal, isSigned: boolean) => {
    const hash = tx.trim();
    const signature = isSigned ? await fetchSignature(hash, signal) : undefined;
    if (isSigned && !signature)
      throw new Told(
        'No Solana wallet that can sign messages was found in this browser. Ask an administrator instead.',
      );
    const { state, amount } = await call(
      claimTransfer,
      { body: { network: 'solana', tx: hash, ...(signature ? { signature } : {}) } },
      signal,
    );
    setTx('');
    setDone(
      state === 'credited'
        ? `${amount} USDC has been added to your balance.`
        : `${amount} USDC found. It is credited once an administrator confirms it is yours.`,
    );
  });
  return (
    <Card id="claim" title="Missing a Solana Transfer?">
      <div className="grid gap-3 px-4 pt-1 pb-4 text-sm">
        <p className="text-ink-2">
          Sent us USDC on Solana that is not in your balance? Enter its transaction and sign with the wallet that sent
          it: it is credited immediately. Transfers from an exchange are checked by an administrator.
        </p>
        {done && <FormNote>{done}</FormNote>}
        {open ? (
          <form
            className="grid gap-3"
            onSubmit={(event) => {
              event.preventDefault();
              setDone(undefined);
              void submit(true);
            }}
          >
            <Field
              label="Transaction (signature)"
              name="tx"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              required
              minLength={32}
              maxLength={120}
              value={tx}
              onChange={(event) => setTx(event.target.value)}
            />
            <FormError failure={failure} />
            <div className="flex flex-wrap gap-2">
              <button type="submit" aria-disabled={busy} className={SECONDARY}>
                {busy ? 'Claiming...' : 'Sign with Wallet'}
              </button>
              <button
                type="button"
                aria-disabled={busy}
                onClick={(event) => {
                  if (!event.currentTarget.form?.reportValidity()) return;
                  setDone(undefined);
                  void submit(false);
                }}
                className={SECONDARY}
              >
                Ask an Administrator
              </button>
            </div>
          </form>
        ) : (
          <div>
            <button type="button" onClick={() => setOpen(true)} className={SECONDARY}>
              Claim a Transfer
            </button>
          </div>
        )}
      </div>
    </Card>
  );
}
