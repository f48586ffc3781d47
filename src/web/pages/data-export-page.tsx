import { useTitle } from '#web/ui/use-title.ts';

import { LockedPage } from './locked-page.tsx';

export function DataExportPage() {
  return (
    <LockedPage page="data-export">
      <Open />
    </LockedPage>
  );
}

function Open() {
  useTitle('Data Export');
  return <h1 className="p-6 text-xl font-semibold">Data Export</h1>;
}
