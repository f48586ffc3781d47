import { planOf } from '#features/subscriptions/web/access.ts';
import type { Account } from '#features/subscriptions/web/use-subscription.ts';
import { ButtonLink } from '#web/ui/button-link.tsx';
import { cx } from '#web/ui/cx.ts';

const CHIP = 'inline-flex h-8 items-center rounded-ctl bg-raised px-3 text-sm font-medium text-ink-2';

/** What the badge says, and whether it leads to the plans; null while the account is being read. */
function badgeOf(account: Account): { text: string; upgrade?: true } | null {
  if (account.state === 'anonymous') return { text: 'Upgrade to Pro', upgrade: true };
  if (account.state === 'unknown') return account.failed ? { text: 'Coming Soon' } : null;
  const plan = planOf(account);
  if (plan === 'admin') return { text: 'ADMIN' };
  return plan === 'pro' ? { text: 'Upgrade to Premium+', upgrade: true } : { text: account.subscription.planName };
}

/** At the right end of the dashboard's head, which nothing of it moves. */
export function PlanBadge({ account }: { account: Account }) {
  const badge = badgeOf(account);
  return (
    <div
      className={cx(
        'order-1 ml-auto flex min-h-8 justify-end sm:order-2',
        account.state === 'anonymous' && 'signed-in:invisible',
      )}
    >
      {badge?.upgrade ? (
        <ButtonLink to="/app/subscription" kind="outline" className="h-8 px-3">
          {badge.text}
        </ButtonLink>
      ) : (
        badge && <span className={CHIP}>{badge.text}</span>
      )}
    </div>
  );
}
