import { useQuery } from '@tanstack/react-query';
import { use } from 'react';
import { useHydratedAccount } from '#features/accounts/web/subscriptions/use-hydrated-account.ts';
import { ContactForm } from '#features/contact/web/contact-form.tsx';
import { sourcesQuery } from '#features/operations/web/sources/queries.ts';
import { summary } from '#features/operations/web/sources/states.ts';
import { ContactNotes, ContactText, ContactTopics } from '#features/site/web/legal/contact-text.tsx';
import { aboutQuery } from '#features/site/web/legal/queries.ts';
import { uptimeText } from '#shared/coverage.ts';
import { Card } from '#ui/card.tsx';
import { Link } from '#ui/link.tsx';
import { Page } from '#ui/page.tsx';
import { QueryView } from '#ui/query-view.tsx';

import { AppInfo } from '../shell/app-info.ts';

const STATUS = { id: 'status', title: 'Current Status', className: 'min-h-[9.875rem]' };
const LINK = 'inline-flex min-h-6 items-center text-accent hover:underline';

export function ContactPage() {
  const { version } = use(AppInfo);
  const account = useHydratedAccount();
  return (
    <Page title="Contact" lead="How to reach support, and what to include.">
      <div className="grid grid-cols-1 items-start gap-3 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid gap-3">
          {account.state === 'unknown' && !account.failed ? (
            <div className="card min-h-164 max-sm:min-h-[48.6rem]" aria-busy="true" />
          ) : (
            <ContactForm email={account.state === 'known' ? account.subscription.email : ''} />
          )}
          <Card id="include" title="What to Include">
            <ContactText version={version} />
          </Card>
        </div>
        <div className="grid content-start gap-3">
          <Card id="answers" title="Response Times">
            <ContactNotes version={version} />
          </Card>
          <Status />
          <Card id="topics" title="Specific Topics">
            <ContactTopics />
          </Card>
          <Card id="rules" title="Policies">
            <p className="px-4 pb-4 text-sm text-ink-2">
              See the{' '}
              <Link to="/app/privacy#support" className={LINK}>
                Privacy Policy
              </Link>{' '}
              for how we handle your message, and the{' '}
              <Link to="/app/terms#plans" className={LINK}>
                Terms & Conditions
              </Link>{' '}
              for plans and payments.
            </p>
          </Card>
        </div>
      </div>
    </Page>
  );
}

/** Most questions about a number are answered by the state of its source. */
function Status() {
  const sources = useQuery(sourcesQuery);
  const { data: about } = useQuery(aboutQuery);
  const uptime = about && uptimeText(about.uptime);
  return (
    <QueryView query={sources} card={STATUS} failed="Failed to load the status">
      {(data) => (
        <Card {...STATUS}>
          <div className="num px-4 pb-4 text-sm">
            <p>Data sources: {summary(data.sources)}.</p>
            {uptime && (
              <p className="text-ink-2">
                {uptime.figure} {uptime.words}.
              </p>
            )}
            <p className="mt-2 flex flex-wrap gap-x-4">
              <Link to="/app/sources" className={LINK}>
                Data Sources
              </Link>
              <a href="/api/health" className={LINK}>
                Health endpoint (JSON)
              </a>
            </p>
          </div>
        </Card>
      )}
    </QueryView>
  );
}
