import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { PLAN_LIMITS } from '#features/accounts/contract/subscriptions.ts';
import { ProofHost } from '#features/accounts/web/auth/security/proof-host.tsx';
import { useLogout } from '#features/accounts/web/auth/use-logout.ts';
import { QuickActions, Support } from '#features/accounts/web/profile/quick-actions.tsx';
import { accountPlan } from '#features/accounts/web/subscriptions/access.ts';
import { ProfileCard } from '#features/accounts/web/subscriptions/profile-card.tsx';
import { useHydratedAccount } from '#features/accounts/web/subscriptions/use-hydrated-account.ts';
import type { Plan } from '#shared/contract.ts';
import { Button } from '#ui/button.tsx';
import { CardFrame } from '#ui/card-frame.tsx';
import { Page } from '#ui/page.tsx';
import { part } from '#ui/part.tsx';
import { tokenNow } from '#ui/session.ts';
import { Tabs } from '#ui/tabs.tsx';

import type { ApiKeysProps } from './profile-api-keys.tsx';
import type { NotificationsProps } from './profile-notifications.tsx';
import type { SecurityProps } from './profile-security.tsx';
import type { SubscriptionProps } from './profile-subscription.tsx';
import { SignedIn } from './signed-in.tsx';
import { useAddress } from './use-address.ts';

const SKELETON = <CardFrame id="signed-in" title="Profile" className="min-h-96" />;

const ProfileNotifications = part<NotificationsProps>({
  name: 'The notification settings',
  load: async () => (await import('./profile-notifications.tsx')).ProfileNotifications,
  loading: SKELETON,
});

const ProfileApiKeys = part<ApiKeysProps>({
  name: 'The API keys',
  load: async () => (await import('./profile-api-keys.tsx')).ProfileApiKeys,
  loading: SKELETON,
});

const ProfileSecurity = part<SecurityProps>({
  name: 'The security settings',
  load: async () => (await import('./profile-security.tsx')).ProfileSecurity,
  loading: SKELETON,
});

const ProfileSubscription = part<SubscriptionProps>({
  name: 'The subscription',
  load: async () => (await import('./profile-subscription.tsx')).ProfileSubscription,
  loading: SKELETON,
});

const TABS = [
  { id: 'profile', name: 'Profile' },
  { id: 'subscription', name: 'Subscription' },
  { id: 'notifications', name: 'Notifications' },
  { id: 'api-keys', name: 'API Keys' },
  { id: 'security', name: 'Security' },
] as const;

/** The tab is offered only to users with keys; its address shows others a description. */
const availableTabs = (plan: Plan, asked: string | null) =>
  TABS.filter(({ id }) => id !== 'api-keys' || id === asked || PLAN_LIMITS[plan].apiKeys);

export function ProfilePage() {
  const [asked, setTab] = useAddress('tab');
  const tabs = availableTabs(accountPlan(useHydratedAccount()) ?? 'free', asked);
  const tab = tabs.find(({ id }) => id === asked)?.id ?? 'profile';
  const logout = useLogout();
  const navigate = useNavigate();
  const [leaving, setLeaving] = useState<string | null>(null);
  const onLeaving = (is: boolean) => setLeaving(is ? tokenNow() : null);
  // A reload of this page would redirect to the sign-in page.
  const signOut = () => {
    onLeaving(true);
    void navigate('/app');
    void logout();
  };
  return (
    <Page
      title="Profile"
      action={
        <Button onClick={signOut} className="max-sm:h-10">
          <LogOut className="size-3.5" aria-hidden="true" />
          Sign Out
        </Button>
      }
    >
      <Tabs label="Profile and settings" tabs={tabs} value={tab} onChange={setTab}>
        <SignedIn feature="Profile" failed="Failed to load profile data" leaving={leaving}>
          {(subscription) => <Chosen tab={tab} subscription={subscription} onLeaving={onLeaving} onSignOut={signOut} />}
        </SignedIn>
      </Tabs>
      <ProofHost />
    </Page>
  );
}

function Chosen({ tab, ...props }: SecurityProps & { tab: (typeof TABS)[number]['id'] }) {
  const { subscription } = props;
  if (tab === 'security') return <ProfileSecurity {...props} />;
  if (tab === 'notifications') return <ProfileNotifications subscription={subscription} />;
  if (tab === 'api-keys') return <ProfileApiKeys subscription={subscription} />;
  if (tab === 'subscription') return <ProfileSubscription subscription={subscription} />;
  return (
    <div className="grid items-start gap-3 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <ProfileCard subscription={subscription} />
      <div className="grid gap-3">
        <QuickActions advanced={PLAN_LIMITS[subscription.plan].advancedAnalytics} />
        <Support />
      </div>
    </div>
  );
}
