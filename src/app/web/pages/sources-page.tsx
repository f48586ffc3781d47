import { SourcesList } from '#features/operations/web/sources/sources-list.tsx';
import { BRAND } from '#shared/brand.ts';
import { Page } from '#ui/page.tsx';

export function SourcesPage() {
  return (
    <Page
      title="Data Sources"
      lead={
        <>
          Every number on {BRAND.name} comes from these sources or is computed from them. Success rate and latency are
          measured on our own requests.
        </>
      }
    >
      <SourcesList />
    </Page>
  );
}
