import { Download } from 'lucide-react';
import type { ReactNode } from 'react';

import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import { type DayLimits, type PaidLimits, perDay } from '#shared/day-limits.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { CODE } from '#ui/code-block.tsx';
import { TEXT_LINK } from '#ui/form.tsx';
import { Link } from '#ui/link.tsx';
import { DOCUMENT_ADDRESS } from './queries.ts';

type Props = {
  /** Undefined while they are not known. */
  limits: PaidLimits | undefined;
  /** Who reads it: signed out, on a plan without keys, or with them. */
  reader: 'anonymous' | 'free' | 'keys';
};

const callsOf = ({ apiCallsPerDay: calls }: DayLimits): string =>
  calls === null ? 'without limit' : perDay(calls, 'call');

const callsText = (limits: PaidLimits | undefined): string =>
  limits
    ? `Pro ${callsOf(limits.pro)}, ${PLAN_NAMES.premium} ${callsOf(limits.premium)}, counted per account and UTC day.`
    : 'Calls are counted per account and UTC day.';

const WAYS = {
  anonymous: ['/app?auth=register', 'Create an account', 'API keys come with Pro. Reading this page needs none.'],
  free: ['/app/subscription', 'Upgrade to Pro', 'API keys come with Pro. Reading this page needs none.'],
  keys: ['/app/profile?tab=api-keys', 'Get a key', 'Create one in your profile. It is shown once.'],
} as const;

/** What the public API is, and the rules that every call keeps. */
export function AboutCard({ limits, reader }: Props) {
  const [to, words, note] = WAYS[reader];
  return (
    <Card id="about-api" title="How it works">
      <div className="grid gap-6 px-4 pt-1 pb-4 text-sm lg:grid-cols-2">
        <dl className="grid content-start gap-3">
          <Fact name="Key">
            Each call brings one, in <code className={CODE}>X-API-Key</code> or in{' '}
            <code className={CODE}>Authorization: Bearer</code>.
          </Fact>
          <Fact name="Limits">
            {callsText(limits)} <code className={CODE}>RateLimit</code> in every answer says what is left; over it comes
            429 with <code className={CODE}>Retry-After</code>. A call that fails by our fault is not counted.
          </Fact>
          <Fact name="Numbers">
            Each with its source, its time and how it was found. Prices and market caps are in USD, changes in percent,
            times in UTC.
          </Fact>
          <Fact name="Changes">
            New fields and calls may come at any time: ignore what you do not know. What breaks callers is announced at
            least 30 days ahead.
          </Fact>
        </dl>
        <div className="grid content-start gap-3">
          <div>
            <ButtonLink to={to} className="h-10 px-4">
              {words}
            </ButtonLink>
            <p className="mt-2 text-ink-2">{note}</p>
            {reader === 'anonymous' && (
              <p className="text-ink-2">
                You have an account?{' '}
                <Link to="/app?auth=login" className={TEXT_LINK}>
                  Sign in
                </Link>
              </p>
            )}
          </div>
          <div className="border-t border-line pt-3">
            <a
              href={DOCUMENT_ADDRESS}
              download="meridian-openapi.json"
              className={`${TEXT_LINK} inline-flex min-h-9 items-center gap-2`}
            >
              <Download className="size-4" aria-hidden="true" />
              OpenAPI 3.1 document
            </a>
            <p className="text-ink-2">This page is made of it. Any tool that reads OpenAPI opens it.</p>
          </div>
        </div>
      </div>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="font-medium">{name}</dt>
      <dd className="max-w-[68ch] text-ink-2">{children}</dd>
    </div>
  );
}
