import { useParams } from 'react-router';
import { OpenLeague } from '#features/analysis/web/predictions/league.tsx';
import { Forecaster } from '#features/analysis/web/predictions/league-forecaster.tsx';
import type { BadgeEmbedProps } from '#features/api/web/widgets/badge-embed.tsx';
import { TEXT_LINK } from '#ui/form.tsx';
import { Link } from '#ui/link.tsx';
import { part } from '#ui/part.tsx';
import { useArrival } from '#ui/use-arrival.ts';
import { useTitle } from '#ui/use-title.ts';

const PAGE = 'mx-auto max-w-[1560px] px-3 pt-4 pb-8 sm:px-6 sm:pt-5';
const TITLE = 'text-xl font-semibold tracking-[-0.02em]';
const UP = `${TEXT_LINK} inline-flex min-h-9 items-center text-sm`;

const BadgeEmbed = part<BadgeEmbedProps>({
  name: 'The badge',
  load: async () => (await import('#features/api/web/widgets/badge-embed.tsx')).BadgeEmbed,
});

export function LeaguePage() {
  useTitle('Open League');
  useArrival();
  return (
    <div className={PAGE}>
      <h1 className={TITLE}>Open League</h1>
      <p className="mt-1 mb-4 max-w-[72ch] text-sm text-ink-2">
        Submit your own forecasts for BTC, ETH, SOL, SUI and XRP, recorded in the same public ledger and graded by the
        same rules as every call in the{' '}
        <Link to="/app/track-record" className={TEXT_LINK}>
          track record
        </Link>
        .
      </p>
      <OpenLeague />
    </div>
  );
}

export function ForecasterPage() {
  const { name = '' } = useParams();
  useTitle(name);
  useArrival();
  return (
    <div className={PAGE}>
      <Link to="/app/track-record/league" className={UP}>
        Open League
      </Link>
      <h1 className={`${TITLE} [overflow-wrap:anywhere]`}>{name}</h1>
      <Forecaster key={name} name={name} badge={<BadgeEmbed forecaster={name} />} />
    </div>
  );
}
