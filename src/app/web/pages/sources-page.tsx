import { SourcesList } from '#features/operations/web/sources/sources-list.tsx';
import { BRAND } from '#shared/brand.ts';
import { useArrival } from '#ui/use-arrival.ts';
import { useTitle } from '#ui/use-title.ts';

export function SourcesPage() {
  useTitle('Data sources');
  useArrival();
  return (
    <div className="mx-auto max-w-[1560px] px-3 pt-4 pb-8 sm:px-6 sm:pt-5">
      <h1 className="text-xl font-semibold tracking-[-0.02em]">Data sources</h1>
      <p className="mt-1 mb-4 max-w-[72ch] text-sm text-ink-2">
        Every number on {BRAND.name} comes from these sources or is computed from them. Success rate and latency are
        measured on our own requests.
      </p>
      <SourcesList />
    </div>
  );
}
