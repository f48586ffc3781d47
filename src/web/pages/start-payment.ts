import type { PaidPlan } from '#features/billing/contract.ts';
import type { Choice } from '#features/billing/web/pay-dialog.tsx';
import { subscribeByCard } from '#features/cards/contract.ts';
import { type Payment, payByWallet, renewByWallet } from '#features/usdc/contract.ts';
import { CallError, call } from '#web/api/client.ts';
import { toast } from '#web/ui/toast.ts';
import { Told } from '#web/ui/use-submit.ts';

export const SIGN_IN = 'Please sign in to subscribe to a plan.';
const FAILED = 'Subscription failed. Please try again.';
const WALLET_FAILED = 'Wallet payment setup failed. Please try again.';
/** The browser is on its way to another page; it may come back to this one as it was left. */
const LEAVING_MS = 15_000;

/** Says why nobody was subscribed, in the words for it. */
export function subscribingFailed(error: unknown): string {
  if (!(error instanceof CallError) || error.status === 0) return FAILED;
  if (error.status === 401) return SIGN_IN;
  return `Subscription failed: ${error.told ? error.message : 'Please try again.'}`;
}

/** A refusal has its reason; anything else went wrong on the way. */
const walletFailed = (error: unknown): string =>
  error instanceof CallError && (error.status === 401 || error.status === 409)
    ? subscribingFailed(error)
    : WALLET_FAILED;

async function leaveFor(url: string): Promise<void> {
  location.assign(url);
  await new Promise((resolve) => {
    setTimeout(resolve, LEAVING_MS);
    addEventListener('pageshow', resolve, { once: true });
  });
}

/** A card's checkout takes the browser away; in USDC there is a payment to show. */
export async function startPayment(
  { planId, method, months, renewal }: { planId: PaidPlan; renewal: boolean } & Choice,
  signal: AbortSignal,
  beforeLeaving: () => void,
): Promise<Payment | null> {
  const words = method === 'card' ? subscribingFailed : walletFailed;
  try {
    if (method !== 'card')
      return await call(renewal ? renewByWallet : payByWallet, { body: { planId, network: method, months } }, signal);
    const { url } = await call(subscribeByCard, { body: { planId, months } }, signal);
    beforeLeaving();
    await leaveFor(url);
    return null;
  } catch (error) {
    if (signal.aborted) throw error;
    toast('error', words(error));
    throw new Told(words(error));
  }
}
