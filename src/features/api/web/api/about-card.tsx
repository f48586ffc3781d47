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
  /** Undefined until known. */
  limits: PaidLimits | undefined;
  /** The user: signed out, on a plan without keys, or with them. */
  reader: 'anonymous' | 'free' | 'keys';
};

const callLimitText = ({ apiCallsPerDay: calls }: DayLimits): string =>
  calls === null ? 'unlimited calls' : perDay(calls, 'call');

const callsText = (limits: PaidLimits | undefined): string =>
  limits
    ? `Pro ${callLimitText(limits.pro)}, ${PLAN_NAMES.premium} ${callLimitText(limits.premium)}, counted per account and UTC day.`
    : 'Calls are counted per account and UTC day.';

const WAYS = {
  anonymous: [
    '/app?auth=register',
    'Create an account',
    'API keys are included in Pro. No key is needed to read this page.',
  ],
  free: ['/app/subscription', 'Upgrade to Pro', 'API keys are included in Pro. No key is needed to read this page.'],
  keys: ['/app/profile?tab=api-keys', 'Get a key', 'Create a key in your profile. It is shown only once.'],
} as const;

/** Authentication, limits and conventions of the public API. */
export function AboutCard({ limits, reader }: Props) {
  const [to, words, note] = WAYS[reader];
  return (
    <Card id="about-api" title="How It Works">
      <div className="grid gap-6 px-4 pt-1 pb-4 text-sm lg:grid-cols-2">
        <dl className="grid content-start gap-3">
          <Fact name="Authentication">
            Send your API key with every request, in <code className={CODE}>X-API-Key</code> or as{' '}
            <code className={CODE}>Authorization: Bearer</code>.
          </Fact>
          <Fact name="Limits">
            {callsText(limits)} The <code className={CODE}>RateLimit</code> header of every response shows the calls
            remaining. Requests over the limit get status 429 with <code className={CODE}>Retry-After</code>. Calls that
            fail with a server error are not counted.
          </Fact>
          <Fact name="Data">
            Every figure comes with its source, time and method. Prices and market caps are in USD, changes in percent,
            times in UTC.
          </Fact>
          <Fact name="Versioning">
            New fields and endpoints may be added at any time: ignore fields you do not recognize. Breaking changes are
            announced at least 30 days ahead.
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
                Already have an account?{' '}
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
            <p className="text-ink-2">The source of this page. Works with any OpenAPI tool.</p>
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
