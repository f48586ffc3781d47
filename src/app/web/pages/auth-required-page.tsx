import { Lock } from 'lucide-react';
import { Navigate } from 'react-router';
import { accountPlan, includesPlan } from '#features/accounts/web/subscriptions/access.ts';
import { FeatureList } from '#features/accounts/web/subscriptions/feature-list.tsx';
import { planFeatures } from '#features/accounts/web/subscriptions/plan-features.ts';
import { useAccount } from '#features/accounts/web/subscriptions/use-subscription.ts';
import { PlanPrice } from '#features/payments/web/billing/plan-price.tsx';
import { useDayLimits } from '#features/payments/web/billing/pricing.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { cx } from '#ui/cx.ts';
import { Link } from '#ui/link.tsx';
import { useSearchParams } from '#ui/search-params.ts';
import { useTitle } from '#ui/use-title.ts';

const MAX_NAME_LENGTH = 60;

const ACCOUNT = {
  now: ['Your plan on every device', 'Two-factor sign-in and passkeys', 'Free, no card required'],
};

const GATES = {
  auth: {
    needs: 'free',
    title: 'Sign in required',
    says: (what: string) => `${what} requires an account. Please sign in or create one.`,
    buttons: [
      ['Sign In', '/app?auth=login'],
      ['Create Account', '/app?auth=register'],
    ],
  },
  upgrade: {
    needs: 'pro',
    title: 'Pro plan required',
    says: (what: string) => `${what} is part of Pro,`,
    buttons: [['Upgrade to Pro', '/app/subscription']],
  },
  premium: {
    needs: 'premium',
    title: 'Premium+ plan required',
    says: (what: string) => `${what} is part of Premium+,`,
    buttons: [['View Premium+ Plans', '/app/subscription']],
  },
} as const;

const LINKS = [
  ['Back to Dashboard', '/app/'],
  ['Contact', '/app/contact'],
  ['Privacy Policy', '/app/privacy'],
  ['Terms & Conditions', '/app/terms'],
] as const;

const isType = (type: string): type is keyof typeof GATES => Object.hasOwn(GATES, type);

/** Explains what a page requires; users who already have it continue to the dashboard. */
export function AuthRequiredPage() {
  const [params] = useSearchParams();
  const account = useAccount();
  const type = params.get('type') ?? '';
  const limits = useDayLimits();
  const { needs, title, says, buttons } = GATES[isType(type) ? type : 'auth'];
  useTitle(title);
  if (includesPlan(accountPlan(account), needs)) return <Navigate to="/app/" replace />;
  const what = params.get('feature')?.trim().slice(0, MAX_NAME_LENGTH) || 'This page';
  const waiting = account.state === 'unknown' && !account.failed;
  return (
    <div className="px-3 pt-4 pb-8 sm:px-6 sm:pt-10">
      <section
        aria-labelledby="gate"
        aria-busy={waiting}
        className={cx('card mx-auto w-full max-w-md p-5 sm:p-7 signed-in:invisible', waiting && 'invisible')}
      >
        <span className="grid size-10 place-items-center rounded-ctl bg-raised">
          <Lock className="size-4.5" aria-hidden="true" />
        </span>
        <h1 id="gate" className="mt-4 text-xl font-semibold tracking-[-0.02em]">
          {title}
        </h1>
        <p className="num mt-1 mb-4 [overflow-wrap:anywhere] text-ink-2">
          {says(what)}
          {needs !== 'free' && (
            <>
              {' '}
              <PlanPrice plan={needs} />.
            </>
          )}
        </p>
        <FeatureList {...(needs === 'free' ? ACCOUNT : planFeatures(limits)[needs])} />
        <div className="mt-6 flex gap-2">
          {buttons.map(([text, to], i) => (
            <ButtonLink key={to} to={to} kind={i === 0 ? 'primary' : 'outline'} className="h-10 flex-1">
              {text}
            </ButtonLink>
          ))}
        </div>
        <ul className="label mt-5 flex flex-wrap gap-x-4 border-t border-line pt-3">
          {LINKS.map(([text, to]) => (
            <li key={to}>
              <Link to={to} className="inline-flex h-9 items-center hover:text-ink">
                {text}
              </Link>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
