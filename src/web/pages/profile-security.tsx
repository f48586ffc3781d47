import { useQuery } from '@tanstack/react-query';
import { ChangePassword } from '#features/auth/web/security/change-password.tsx';
import { DeleteAccount } from '#features/auth/web/security/delete-account.tsx';
import { SessionList } from '#features/auth/web/security/session-list.tsx';
import { billingQuery } from '#features/billing/web/queries.ts';
import { PasskeysCard } from '#features/passkeys/web/passkeys-card.tsx';
import { YourData } from '#features/personal-data/web/your-data.tsx';
import type { Subscription } from '#features/subscriptions/contract.ts';
import { planThatEnds } from '#features/subscriptions/web/plan-words.ts';
import { TwoFactorCard } from '#features/two-factor/web/two-factor-card.tsx';
import { useToken } from '#web/session.ts';

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
