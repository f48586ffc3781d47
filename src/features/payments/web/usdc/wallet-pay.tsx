import { Wallet } from 'lucide-react';
import { useState } from 'react';
import type { Payment } from '#features/payments/contract/usdc.ts';
import { usdToUnits } from '#shared/money.ts';
import { FormError, SECONDARY } from '#ui/form.tsx';
import { Told, useSubmit } from '#ui/use-submit.ts';
import { type FoundWallet, type Step, WalletError } from './wallets/wallet.ts';

export type WalletPayProps = {
  payment: Payment;
  /** Amount left to send, USDC. */
  amount: string;
};

const STEPS: Record<Step, string> = {
  connect: 'Allow the connection in your wallet',
  network: 'Allow the network change in your wallet',
  confirm: 'Confirm the payment in your wallet',
};

const find = async ({ network }: Payment): Promise<FoundWallet[]> =>
  network === 'base'
    ? (await import('./wallets/base.ts')).findBaseWallets()
    : (await import('./wallets/solana.ts')).findSolanaWallets();

/** Pays from a wallet installed in this browser. Sends once only. */
export function WalletPay({ payment, amount }: WalletPayProps) {
  const [wallets, setWallets] = useState<FoundWallet[]>();
  const [step, setStep] = useState<Step>('connect');
  const [sent, setSent] = useState<{ amount: string }>();
  const looking = useSubmit('Couldn’t detect wallets. Please try again.', async () => setWallets(await find(payment)));
  const paying = useSubmit(
    'The payment failed in the wallet. Nothing was sent.',
    async (signal, wallet: FoundWallet) => {
      const { address: to, token, reference, paymentId } = payment;
      const order = { to, token, reference, paymentId, units: usdToUnits(amount) ?? 0n };
      await wallet.pay(order, setStep).catch((error: unknown) => {
        throw error instanceof WalletError ? new Told(error.message) : error;
      });
      if (!signal.aborted) setSent({ amount });
    },
  );
  if (sent && sent.amount === amount)
    return (
      <output className="block rounded-ctl border border-up/40 bg-up/10 px-3 py-2 text-sm font-medium text-up">
        Your wallet has sent {amount} USDC. It appears here once the network confirms it. Do not send more.
      </output>
    );
  return (
    <div className="grid gap-2">
      <FormError failure={looking.failure ?? paying.failure} />
      {!wallets?.length && (
        <button type="button" aria-disabled={looking.busy} onClick={() => void looking.submit()} className={SECONDARY}>
          <Wallet className="size-4" aria-hidden="true" />
          {looking.busy ? 'Looking for wallets…' : 'Pay from a Wallet in This Browser'}
        </button>
      )}
      {wallets?.length === 0 && (
        <p role="status" className="text-ink-2">
          No wallet was found in this browser. Scan the code with a wallet on your phone, or send to the address.
        </p>
      )}
      {wallets?.map((wallet) => (
        <button
          key={wallet.id}
          type="button"
          aria-disabled={paying.busy}
          onClick={() => void paying.submit(wallet)}
          className={SECONDARY}
        >
          <Wallet className="size-4" aria-hidden="true" />
          Pay with {wallet.name}
        </button>
      ))}
      {paying.busy && <output className="text-ink-2">{STEPS[step]}</output>}
    </div>
  );
}
