import { usePreparing } from '#features/analysis/web/analysis/preparing.tsx';
import { TrackRecord } from '#features/analysis/web/predictions/track-record.tsx';
import { LazyMount } from '#ui/lazy-mount.tsx';
import { Page } from '#ui/page.tsx';
import { part } from '#ui/part.tsx';

const BadgeEmbed = part({
  name: 'The badge',
  load: async () => (await import('#features/api/web/widgets/badge-embed.tsx')).BadgeEmbed,
});

export function TrackRecordPage() {
  const preparing = usePreparing(true);
  return (
    <Page
      title="Track Record"
      lead="Every call is recorded when issued, graded at its horizon and never removed. Skill first; hit rate alone says little."
    >
      <TrackRecord preparing={preparing} />
      <LazyMount frame={<div className="min-h-88" />} className="mt-3">
        <BadgeEmbed />
      </LazyMount>
    </Page>
  );
}
