import { useEffect, useRef, useState } from 'react';

import { CallError } from '#web/api/client.ts';
import { askForFile, keepFile } from '#web/api/file.ts';
import { toast } from '#web/ui/toast.ts';

import { type CollectionName, exportCollection } from '../contract.ts';

const BROKE_OFF = 'The export broke off before its end. Please try again.';

/** What the browser keeps on its disk as it comes; `onBytes` hears how much of it is here. */
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

function wordsOf(error: unknown): string {
  if (!(error instanceof CallError)) return BROKE_OFF;
  return `Failed to export data: ${error.status === 0 ? '' : `${error.status} - `}${error.message}`;
}

/** One export at a time; who leaves the tab ends it. `bytes` is null while none is under way. */
export function useExport(collection: CollectionName) {
  const [bytes, setBytes] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function start(): Promise<void> {
    if (running.current) return;
    const { signal } = (running.current = new AbortController());
    setBytes(0);
    try {
      const path = exportCollection.path.replace(':collection', collection);
      const response = await askForFile(path, { signal });
      if (!response.headers.get('content-type')?.includes('application/json'))
        toast('error', 'Unexpected response format');
      else {
        const name = `${collection}_export.json`;
        keepFile(await keep(response, setBytes), name);
        toast('success', `Export successful! Downloading ${name}`);
      }
    } catch (error) {
      if (!signal.aborted) toast('error', wordsOf(error));
    }
    running.current = null;
    setBytes(null);
  }
  return { bytes, start, cancel: () => running.current?.abort() };
}
