import { Download, X } from 'lucide-react';

import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CornerButton } from '#web/ui/corner-button.tsx';

import type { CollectionSummary } from '../contract.ts';
import { RecordList } from './record-list.tsx';
import { useExport } from './use-export.ts';
import { ABOUT, foundWords, moreWords, records } from './words.ts';

const SAMPLE = 3;
const MEGABYTE = 1_000_000;

/** One collection: how much there is of it, the newest of it, and all of it as a file. */
export function CollectionCard({ summary, raw }: { summary: CollectionSummary; raw: boolean }) {
  const { collection, data, found } = summary;
  const sample = data.slice(0, SAMPLE);
  const more = moreWords(summary, sample.length);
  const search = foundWords(summary);
  return (
    <Card
      id={`collection-${collection}`}
      title={collection}
      className="relative"
      note={<span className="label num max-sm:block">{records(summary)}</span>}
    >
      <ExportButton collection={collection} />
      <div className="px-4 pb-3 text-sm text-ink-2">
        <p>{ABOUT[collection]}</p>
        {search && <output className="num block font-medium text-ink">{search}</output>}
      </div>
      {sample.length > 0 && <RecordList of={collection} records={sample} raw={raw} />}
      <p className="num mt-auto border-t border-line px-4 py-2.5 text-sm text-ink-3">
        {sample.length === 0
          ? found === null
            ? 'Nothing is stored yet'
            : 'No record matches'
          : (more ?? (found === null ? 'This is all there is' : 'These are all that match'))}
      </p>
    </Card>
  );
}

function ExportButton({ collection }: Pick<CollectionSummary, 'collection'>) {
  const { bytes, start, cancel } = useExport(collection);
  if (bytes !== null)
    return (
      <div className="absolute top-2 right-3 flex items-center gap-2 max-sm:top-1">
        <output className="num label">{bytes === 0 ? 'Exporting…' : `${(bytes / MEGABYTE).toFixed(1)} MB`}</output>
        <Button aria-label={`Cancel the export of ${collection}`} onClick={cancel} className="max-sm:h-10">
          <X className="size-3.5" aria-hidden="true" />
          Cancel
        </Button>
      </div>
    );
  return (
    <CornerButton aria-label={`Export ${collection}`} onClick={() => void start()}>
      <Download className="size-3.5" aria-hidden="true" />
      Export
    </CornerButton>
  );
}
