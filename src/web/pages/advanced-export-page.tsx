import { useTitle } from '#web/ui/use-title.ts';

import { LockedPage } from './locked-page.tsx';

export function AdvancedExportPage() {
  return (
    <LockedPage page="advanced-export">
      <Open />
    </LockedPage>
  );
}

function Open() {
  useTitle('Advanced Export');
  return <h1 className="p-6 text-xl font-semibold">Advanced Export</h1>;
}
