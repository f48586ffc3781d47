import { useQuery } from '@tanstack/react-query';
import type { Subscription } from '#features/accounts/contract/subscriptions.ts';
import { ChangePassword, DeleteAccount } from '#features/accounts/web/auth/security/account-actions.tsx';
import { SessionList } from '#features/accounts/web/auth/security/session-list.tsx';
import { PasskeysCard } from '#features/accounts/web/passkeys/passkeys-card.tsx';
import { YourData } from '#features/accounts/web/personal-data/your-data.tsx';
import { planThatEnds } from '#features/accounts/web/subscriptions/plan-labels.ts';
import { TwoFactorCard } from '#features/accounts/web/two-factor/two-factor-card.tsx';
import { billingQuery } from '#features/payments/web/billing/queries.ts';
import { useToken } from '#ui/session.ts';

export type SecurityProps = {
  subscription: Subscription;
  onLeaving: (leaving: boolean) => void;
  onSignOut: () => void;
};

export function ProfileSecurity({ subscription, onLeaving, onSignOut }: SecurityProps) {
  const { data: billing } = useQuery(billingQuery(useToken()));
  return (
    <div className="grid items-start gap-3 lg:grid-cols-2">
      <div className="grid gap-3">
        <ChangePassword />
        <TwoFactorCard />
      </div>
      <div className="grid gap-3">
        <PasskeysCard />
        <SessionList onSignOut={onSignOut} />
      </div>
      <div className="grid gap-3 lg:col-span-2">
        <YourData />
        <DeleteAccount
          email={subscription.email}
          planThatEnds={planThatEnds(subscription, billing)}
          onLeaving={onLeaving}
        />
      </div>
    </div>
  );
}
