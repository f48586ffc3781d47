import { OpenLeague } from '#features/analysis/web/predictions/league.tsx';
import { Forecaster } from '#features/analysis/web/predictions/league-forecaster.tsx';
import type { BadgeEmbedProps } from '#features/api/web/widgets/badge-embed.tsx';
import { TEXT_LINK } from '#ui/form.tsx';
import { Link } from '#ui/link.tsx';
import { Page } from '#ui/page.tsx';
import { part } from '#ui/part.tsx';

const BadgeEmbed = part<BadgeEmbedProps>({
  name: 'The badge',
  load: async () => (await import('#features/api/web/widgets/badge-embed.tsx')).BadgeEmbed,
});

export function LeaguePage() {
  return (
    <Page
      title="Open League"
      lead={
        <>
          Submit your own forecasts for BTC, ETH, SOL, SUI and XRP, recorded in the same public ledger and graded by the
          same rules as every call in the{' '}
          <Link to="/app/track-record" className={TEXT_LINK}>
            track record
          </Link>
          .
        </>
      }
    >
      <OpenLeague />
    </Page>
  );
}

export function ForecasterPage({ name = '' }: { name?: string }) {
  return (
    <Page title={name} link={['Open League', '/app/track-record/league']}>
      <Forecaster key={name} name={name} badge={<BadgeEmbed forecaster={name} />} />
    </Page>
  );
}
