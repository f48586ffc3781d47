import { useQueryClient } from '@tanstack/react-query';
import { startTrial } from '#features/payments/contract/billing.ts';
import { call } from '#ui/api/client.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { dayOf } from '#ui/day.ts';
import { toast } from '#ui/toast.ts';
import { useSubmit } from '#ui/use-submit.ts';

const SUCCESS_MS = 15_000;

type Props = {
  days: number;
  /** Only its space is taken: whether the account can still try is not known yet. */
  pending?: boolean;
  /** Message for a trial that could not be started. */
  failedWords: (error: unknown) => string;
  /** Called instead of starting when signed out. */
  onSignedOut?: (() => void) | undefined;
};

/** A notice above the plans. */
export const NOTICE = 'card mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3';

/** Pro trial, for accounts still eligible. */
export function TrialOffer({ days, pending = false, failedWords, onSignedOut }: Props) {
  const queries = useQueryClient();
  const { busy, submit } = useSubmit('', async (signal) => {
    try {
      const { endsAt } = await call(startTrial, {}, signal);
      toast('success', `Pro is yours until ${dayOf(endsAt)}. It ends automatically.`, SUCCESS_MS);
    } catch (error) {
      if (!signal.aborted) toast('error', failedWords(error));
    }
    for (const key of ['subscription', 'billing']) void queries.invalidateQueries({ queryKey: [key] });
  });
  return (
    <section aria-labelledby="trial" className={cx(NOTICE, 'signed-in:invisible', pending && 'invisible')}>
      <div>
        <h2 id="trial" className="text-base font-semibold">
          Try Pro for {days} days, free
        </h2>
        <p className="text-sm text-ink-2">Once per account, no card required. Ends automatically.</p>
      </div>
      <Button
        aria-disabled={busy}
        onClick={() => (onSignedOut ? onSignedOut() : void submit())}
        className="h-10! justify-center max-sm:w-full"
      >
        {busy ? 'Starting...' : 'Start Free Trial'}
      </Button>
    </section>
  );
}
