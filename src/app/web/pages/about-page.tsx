import { useQuery } from '@tanstack/react-query';
import { Latency } from '#features/notifications/web/notifications/latency.tsx';
import { ABOUT_LEAD, AboutFacts, AboutSection, AboutText } from '#features/site/web/legal/about-text.tsx';
import { aboutQuery } from '#features/site/web/legal/queries.ts';
import { BRAND } from '#shared/brand.ts';
import { Link } from '#ui/link.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { useTitle } from '#ui/use-title.ts';

const FACTS = { id: 'facts', title: 'This Server', className: 'mt-6 min-h-dvh' };

export function AboutPage() {
  useTitle('About');
  const query = useQuery(aboutQuery);
  const facts = (
    <>
      <QueryView query={query} card={FACTS} failed="Failed to load the collection schedule">
        {(about) => <AboutFacts about={about} A={Link} />}
      </QueryView>
      <AboutSection id="delivery" title="Alert Delivery Speed">
        <Latency />
      </AboutSection>
    </>
  );
  return (
    <article className="mx-auto max-w-[1560px] px-3 pt-4 pb-8 sm:px-6 sm:pt-5">
      <div className="max-w-4xl">
        <h1 className="text-xl font-semibold tracking-[-0.02em]">About {BRAND.name}</h1>
        <p className="prose mt-3">{ABOUT_LEAD}</p>
        <AboutText facts={facts} plans={query.data?.plans} A={Link} />
      </div>
    </article>
  );
}
