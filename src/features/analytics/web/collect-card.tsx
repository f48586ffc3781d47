import { Database } from 'lucide-react';
import { useState } from 'react';

import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';

import { collectNow } from './queries.ts';

type Started = Awaited<ReturnType<typeof collectNow>>;

/** For administrators: collects the page's data. A failure is only logged, as specified. */
export function CollectCard() {
  const [busy, setBusy] = useState(false);
  const [started, setStarted] = useState<Started | null>(null);
  const collect = async () => {
    setBusy(true);
    try {
      setStarted(await collectNow());
    } catch (error) {
      // oxlint-disable-next-line no-console -- the specification wants it logged and not shown
      console.warn('Analytics: the collection could not be started', error);
    }
    setBusy(false);
  };
  return (
    <Card id="collect" title="Data Collection" className="">
      <div className="flex flex-wrap items-center gap-3 px-4 pb-4">
        <Button onClick={() => void collect()} disabled={busy} className="disabled:opacity-60">
          <Database className="size-3.5" aria-hidden="true" />
          {busy ? 'Collecting\u2026' : 'Collect Data'}
        </Button>
        <output className="text-sm text-ink-2">
          {started?.message ?? 'Collects prices, derivatives, on-chain metrics and sentiment now.'}
        </output>
        {started && (
          <ul className="w-full text-xs text-ink-3">
            {started.jobs.map(({ name, about }) => (
              <li key={name}>{about}</li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}
