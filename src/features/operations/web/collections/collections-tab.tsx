import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import {
  COLLECTIONS,
  type CollectionName,
  type CollectionSummary,
  exportCollection,
} from '#features/operations/contract/collections.ts';
import { useAddressFlag, useAddressText } from '#ui/address-filter.ts';
import { CallError } from '#ui/api/client.ts';
import { downloadBlob, requestFile } from '#ui/api/file.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { CornerButton } from '#ui/corner-button.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { Select } from '#ui/select.tsx';
import { useToken } from '#ui/session.ts';
import { toast } from '#ui/toast.ts';
import { ABOUT, foundWords, moreWords, records } from './labels.ts';
import { collectionsQuery } from './queries.ts';
import { RecordList, ToolBar } from './record-list.tsx';

const BROKE_OFF = 'The export was interrupted. Please try again.';

/** A blob that the browser may keep on disk while it arrives; `onBytes` reports progress. */
async function keep(response: Response, onBytes: (bytes: number) => void): Promise<Blob> {
  let bytes = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      onBytes(bytes);
      controller.enqueue(chunk);
    },
  });
  const file = await new Response(response.body?.pipeThrough(counting) ?? null).blob();
  return new Blob([file], { type: 'application/json' });
}

function errorText(error: unknown): string {
  if (!(error instanceof CallError)) return BROKE_OFF;
  return `Failed to export data: ${error.status === 0 ? '' : `${error.status} - `}${error.message}`;
}

/** One export at a time; leaving the tab cancels it. `bytes` is null while none is in progress. */
function useExport(collection: CollectionName) {
  const [bytes, setBytes] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function start(): Promise<void> {
    if (running.current) return;
    const { signal } = (running.current = new AbortController());
    setBytes(0);
    try {
      const path = exportCollection.path.replace(':collection', collection);
      const response = await requestFile(path, { signal });
      if (!response.headers.get('content-type')?.includes('application/json'))
        toast('error', 'Unexpected response format');
      else {
        const name = `${collection}_export.json`;
        downloadBlob(await keep(response, setBytes), name);
        toast('success', `Export successful! Downloading ${name}`);
      }
    } catch (error) {
      if (!signal.aborted) toast('error', errorText(error));
    }
    running.current = null;
    setBytes(null);
  }
  return { bytes, start, cancel: () => running.current?.abort() };
}

const SAMPLE = 3;
const MEGABYTE = 1_000_000;

/** One collection: size, newest records, and a full export. */
function CollectionCard({ summary, raw }: { summary: CollectionSummary; raw: boolean }) {
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
            ? 'No records yet'
            : 'No matching records'
          : (more ?? (found === null ? 'All records shown' : 'All matches shown'))}
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

const CARD = { id: 'collections', title: 'Database Collections', className: 'min-h-96' };

/** Stored data by collection. */
export function CollectionsTab() {
  const queries = useQueryClient();
  const [asked, choose] = useAddressText('collection');
  const collection = COLLECTIONS.find((name) => name === asked) ?? null;
  const [q, search] = useAddressText('search');
  const [raw, setRaw] = useAddressFlag('raw');
  const query = useQuery(collectionsQuery(useToken(), collection, q));
  // Results of an earlier search must not appear as those of a failed one.
  const found = query.isError ? { ...query, data: undefined } : query;
  return (
    <>
      <ToolBar
        label="Search records"
        q={q}
        onSearch={search}
        raw={raw}
        onRaw={setRaw}
        onRefresh={() => void queries.resetQueries({ queryKey: ['admin-collections'] })}
      >
        <label className="max-sm:w-full">
          <span className="sr-only">Collection</span>
          <Select value={collection ?? ''} onText={choose} className="max-sm:h-11 max-sm:w-full">
            <option value="">All collections</option>
            {COLLECTIONS.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        </label>
      </ToolBar>
      <QueryView query={found} card={CARD} failed="Failed to load admin data">
        {(summaries) => (
          <div
            aria-busy={query.isPlaceholderData}
            className={`grid gap-3 grid-cols-[repeat(auto-fit,minmax(min(100%,27rem),1fr))] ${query.isPlaceholderData ? 'opacity-60' : ''}`}
          >
            {summaries.map((summary) => (
              <CollectionCard key={summary.collection} summary={summary} raw={raw} />
            ))}
          </div>
        )}
      </QueryView>
    </>
  );
}
