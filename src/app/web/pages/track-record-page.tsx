import { usePreparing } from '#features/analysis/web/analysis/preparing.tsx';
import { TrackRecord } from '#features/analysis/web/predictions/track-record.tsx';
import { part } from '#ui/part.tsx';
import { useArrival } from '#ui/use-arrival.ts';
import { useTitle } from '#ui/use-title.ts';

const BadgeEmbed = part({
  name: 'The badge',
  load: async () => (await import('#features/api/web/widgets/badge-embed.tsx')).BadgeEmbed,
});

export function TrackRecordPage() {
  useTitle('Track record');
  useArrival();
  const preparing = usePreparing(true);
  return (
    <div className="mx-auto max-w-[1560px] px-3 pt-4 pb-8 sm:px-6 sm:pt-5">
      <h1 className="text-xl font-semibold tracking-[-0.02em]">Track record</h1>
      <p className="mt-1 mb-4 max-w-[72ch] text-sm text-ink-2">
        Every call is recorded when issued, graded at its horizon and never removed. Skill first; hit rate alone says
        little.
      </p>
      <TrackRecord preparing={preparing} />
      <div className="mt-3">
        <BadgeEmbed />
      </div>
    </div>
  );
}
