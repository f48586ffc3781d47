import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Subscription } from '#features/accounts/contract/subscriptions.ts';
import type { Billing } from '#features/payments/contract/billing.ts';
import { cancelSubscription, openPortal, resumeSubscription } from '#features/payments/contract/cards.ts';
import { call } from '#ui/api/client.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { cx } from '#ui/cx.ts';
import { dayOf } from '#ui/day.ts';
import { FormError, PRIMARY, SECONDARY } from '#ui/form.tsx';
import { Modal } from '#ui/modal.tsx';
import { useToken } from '#ui/session.ts';
import { toast } from '#ui/toast.ts';
import { useSubmit } from '#ui/use-submit.ts';
import { billingQuery } from './queries.ts';

type Standing = Pick<Subscription, 'plan' | 'planName' | 'currentPeriodEnd' | 'expiredAt'>;
type Props = { subscription: Standing };

const TOAST_MS = 15_000;
const PLANS = '/app/subscription';
const BUTTON = cx(SECONDARY, 'max-sm:w-full');

/** Manage, cancel, resume. Without a card there is nothing to manage: the plan is renewed from the list of plans. */
export function PlanActions({ subscription }: Props) {
  const { data, isPending } = useQuery(billingQuery(useToken()));
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [cancelling, setCancelling] = useState(false);
  const card = data?.card ?? null;
  const waits = isPending;
  const manage = useSubmit('Failed to open the billing page. Please try again.', async (signal) => {
    if (!card) return navigate(PLANS);
    location.assign((await call(openPortal, {}, signal)).url);
    return undefined;
  });
  const readAgain = () =>
    Promise.all(['subscription', 'billing'].map((key) => queries.invalidateQueries({ queryKey: [key] })));
  const resume = useSubmit('Failed to resume the subscription. Please try again.', async (signal) => {
    const { renewsAt } = await call(resumeSubscription, {}, signal);
    toast('success', `Your subscription continues.${renewsAt ? ` It renews on ${dayOf(renewsAt)}.` : ''}`, TOAST_MS);
    await readAgain();
  });
  const failure = manage.failure ?? resume.failure;
  return (
    <>
      <button
        type="button"
        aria-disabled={waits || manage.busy}
        onClick={() => {
          if (!waits) void manage.submit();
        }}
        className={BUTTON}
      >
        {manage.busy ? 'Opening...' : 'Manage Subscription'}
      </button>
      {card?.cancelled ? (
        <button type="button" aria-disabled={resume.busy} onClick={() => void resume.submit()} className={BUTTON}>
          {resume.busy ? 'Resuming...' : 'Resume Subscription'}
        </button>
      ) : (
        <button
          type="button"
          aria-disabled={waits}
          onClick={() => {
            if (!waits) setCancelling(true);
          }}
          className={BUTTON}
        >
          Cancel Subscription
        </button>
      )}
      {failure && (
        <div className="w-full">
          <FormError failure={failure} />
        </div>
      )}
      {cancelling &&
        (card ? (
          <Cancel subscription={subscription} card={card} onDone={readAgain} onClose={() => setCancelling(false)} />
        ) : (
          <NothingToCancel
            subscription={subscription}
            isKnown={data !== undefined}
            onClose={() => setCancelling(false)}
          />
        ))}
    </>
  );
}

type CancelProps = {
  subscription: Standing;
  card: NonNullable<Billing['card']>;
  onDone: () => Promise<unknown>;
  onClose: () => void;
};

const PLAN_WORDS = { pro: 'Pro', premium: 'Premium+' } as const;

function Cancel({ subscription, card, onDone, onClose }: CancelProps) {
  const until = card.renewsAt ?? subscription.currentPeriodEnd;
  const name = PLAN_WORDS[card.plan];
  return (
    <ConfirmDialog
      title="Cancel your subscription?"
      keep="Keep Subscription"
      words={['Cancel Subscription', 'Cancelling...']}
      failed="Failed to cancel the subscription. Please try again."
      act={async (signal) => {
        const { endsAt } = await call(cancelSubscription, {}, signal);
        toast(
          'success',
          `Your subscription is canceled.${endsAt ? ` ${name} stays active until ${dayOf(endsAt)}.` : ''}`,
          TOAST_MS,
        );
        await onDone();
      }}
      onClose={onClose}
    >
      {until
        ? `${name} stays active until ${dayOf(until)}, the end of the paid period.`
        : `${name} stays active through the paid period.`}{' '}
      After that your account moves to Free and your card is not charged again. Everything you created is kept and
      returns when you renew. You can resume until then.
    </ConfirmDialog>
  );
}

type NothingProps = { subscription: Standing; isKnown: boolean; onClose: () => void };

/** A plan without a card: paid in USDC, granted, or in its grace period. */
function statusText({ plan, planName, currentPeriodEnd, expiredAt }: Standing): string {
  if (plan === 'free') return 'You are on the Free plan and are not charged.';
  if (expiredAt)
    return `${planName} ended on ${dayOf(expiredAt)} and is in its grace period. It does not renew automatically, and nothing is charged.`;
  return currentPeriodEnd
    ? `${planName} does not renew automatically. It stays active until ${dayOf(currentPeriodEnd)}, then your account moves to Free. You won’t be charged again.`
    : `${planName} was granted to this account without an end date. You are not charged for it.`;
}

function NothingToCancel({ subscription, isKnown, onClose }: NothingProps) {
  return (
    <Modal title={isKnown ? 'Nothing to cancel' : 'Couldn’t load your billing'} onClose={onClose}>
      <div className="grid gap-3 text-sm">
        <p className="text-ink-2">
          {isKnown ? statusText(subscription) : 'We couldn’t confirm your card status. Please try again.'}
        </p>
        <button type="button" onClick={onClose} className={PRIMARY}>
          Close
        </button>
      </div>
    </Modal>
  );
}
