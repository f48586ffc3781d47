import { useTitle } from '#web/ui/use-title.ts';

export function HistoryPage() {
  useTitle('Historical Data');
  return <h1 className="p-6 text-xl font-semibold">Historical Data</h1>;
}
