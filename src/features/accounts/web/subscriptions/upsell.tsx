import { Check, Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import type { Plan } from '#shared/contract.ts';
import { grouped } from '#shared/format.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Link } from '#ui/link.tsx';
import type { UpsellText } from './upsells.ts';

/** A count for this installation, and its label. */
export type Counted = readonly [count: number, what: string];

type Props = { text: UpsellText; plan: Plan | null; price: ReactNode; counted: readonly Counted[] };

/** Replaces a page that the plan does not include. */
export function Upsell({ text: { title, access, about, holds, refusal }, plan, price, counted }: Props) {
  const name = PLAN_NAMES[access];
  return (
    <section aria-labelledby="locked" className="card mx-auto w-full max-w-4xl overflow-hidden md:flex">
      <div className="flex-1 p-5 sm:p-7">
        <p className="label flex items-center gap-1.5">
          <Lock className="size-3.5" aria-hidden="true" />
          Part of {name}
        </p>
        <h1 id="locked" className="mt-2 text-2xl font-semibold tracking-[-0.025em]">
          {title}
        </h1>
        <p className="mt-1.5 max-w-[60ch] text-ink-2">{about}</p>
        <ul className="mt-5 grid gap-2">
          {holds.map((each) => (
            <li key={each} className="flex gap-2">
              <Check className="mt-0.5 size-4 shrink-0 text-accent" aria-hidden="true" />
              {each}
            </li>
          ))}
        </ul>
        <p className="label mt-6 border-t border-line pt-4">Live from this server</p>
        <dl className="num mt-1 grid grid-cols-3 gap-4">
          {counted.map(([count, what]) => (
            <div key={what} className="flex flex-col-reverse justify-end">
              <dt className="label">{what}</dt>
              <dd className="text-xl font-semibold tracking-[-0.02em]">{count > 0 ? grouped(count) : '–'}</dd>
            </div>
          ))}
        </dl>
      </div>
      <div className="flex flex-col justify-center gap-3 border-t border-line bg-raised/50 p-5 sm:p-7 md:w-72 md:border-t-0 md:border-l">
        {refusal && <p className="text-sm text-ink-2">{refusal[plan ? 1 : 0]}</p>}
        <div>{price}</div>
        <ButtonLink to="/app/subscription" className="h-10 w-full">
          Upgrade to {name}
        </ButtonLink>
        <p className="flex flex-wrap items-center justify-between gap-x-4 text-sm">
          <Link to="/app" className="inline-flex h-9 items-center text-ink-2 hover:text-ink">
            Back to Dashboard
          </Link>
          {!plan && (
            <Link to="/app?auth=login" className="inline-flex h-9 items-center font-medium text-accent">
              Sign In
            </Link>
          )}
        </p>
      </div>
    </section>
  );
}
