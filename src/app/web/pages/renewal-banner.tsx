import { useQuery } from '@tanstack/react-query';
import { Clock } from 'lucide-react';
import { useState } from 'react';
import type { Subscription } from '#features/accounts/contract/subscriptions.ts';
import { renewalNote } from '#features/accounts/web/subscriptions/plan-labels.ts';
import type { RenewalInfo } from '#features/payments/contract/billing.ts';
import { methodsBeside } from '#features/payments/web/billing/payment-methods.tsx';
import { usePricing } from '#features/payments/web/billing/pricing.ts';
import { billingQuery, renewalQuery } from '#features/payments/web/billing/queries.ts';
import { Button } from '#ui/button.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { Modal } from '#ui/modal.tsx';
import { useToken } from '#ui/session.ts';
import { ErrorState } from '#ui/states.tsx';

import { Purchase } from './purchase.tsx';

const DISMISSED = 'renewalDismissed';

/** Shown again for a new end date, and for the end itself after its announcement. */
const bannerId = ({ id, expiredAt, currentPeriodEnd }: Subscription) => `${id} ${expiredAt ?? currentPeriodEnd}`;

function dismissed(): string | null {
  try {
    return sessionStorage.getItem(DISMISSED);
  } catch {
    return null;
  }
}

export type RenewalProps = { subscription: Subscription };

/** For users whose plan has ended or is about to. */
export function RenewalBanner({ subscription }: RenewalProps) {
  const [nowMs] = useState(() => Date.now());
  const [gone, setGone] = useState(dismissed);
  const [renewing, renew] = useState(false);
  const note = renewalNote(subscription, nowMs);
  const id = bannerId(subscription);
  if (renewing) return <RenewDialog subscription={subscription} onClose={() => renew(false)} />;
  if (!note || gone === id) return null;
  const dismiss = () => {
    setGone(id);
    try {
      sessionStorage.setItem(DISMISSED, id);
    } catch {
      // Not stored: the banner is shown again on the next page load.
    }
  };
  return (
    <section
      aria-labelledby="renewal"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-warn/10 px-3 py-2 text-sm sm:px-6"
    >
      <Clock className="size-4 shrink-0 text-warn" aria-hidden="true" />
      <p className="num min-w-52 flex-1">
        <strong id="renewal" className="font-semibold text-warn">
          {note.title}
        </strong>{' '}
        {note.text}
      </p>
      <div className="flex gap-2">
        <Button onClick={() => renew(true)} className="max-sm:h-10">
          Renew Now
        </Button>
        <Button kind="quiet" onClick={dismiss} className="max-sm:h-10">
          Dismiss
        </Button>
      </div>
    </section>
  );
}

function RenewDialog({ subscription, onClose }: RenewalProps & { onClose: () => void }) {
  const query = useQuery(renewalQuery(useToken()));
  if (query.data) return <Renew info={query.data} subscription={subscription} onClose={onClose} />;
  return (
    <Modal title="Renew your subscription" onClose={onClose}>
      {query.isError ? (
        <ErrorState
          message="Couldn’t load the renewal options"
          detail={query.error.message}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <output className="block py-10 text-center text-ink-3">Loading options...</output>
      )}
    </Modal>
  );
}

type RenewProps = RenewalProps & { info: RenewalInfo; onClose: () => void };

function Renew({ info, subscription, onClose }: RenewProps) {
  const { pricing } = usePricing();
  const { data: billing } = useQuery(billingQuery(useToken()));
  const [first] = info.renewalOptions;
  if (!first || pricing.comingSoon)
    return (
      <Modal title="Renew your subscription" onClose={onClose}>
        <p className="mb-4 text-sm text-ink-2">
          {pricing.comingSoon
            ? 'Pro and Premium plans are coming soon! Stay tuned for updates.'
            : 'Renewal is not available right now.'}
        </p>
        <ButtonLink to="/app/subscription" onClick={onClose} className="h-10 w-full">
          See Plans and Prices
        </ButtonLink>
      </Modal>
    );
  return (
    <Purchase
      renewal
      title={`Renew ${info.planName}`}
      planId={info.expiredPlan}
      offers={info.renewalOptions}
      months={first.months}
      methods={methodsBeside(billing?.card ?? null, pricing.methods, info.expiredPlan)}
      subscription={subscription}
      onClose={onClose}
    />
  );
}
