import { useQuery, useQueryClient } from '@tanstack/react-query';

import { deleteExport, type ExportItem, type Manifest } from '#features/exports/contract/exports.ts';
import { dateTime, grouped } from '#shared/format.ts';
import { call } from '#ui/api/client.ts';
import { downloadBlob } from '#ui/api/file.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { SECONDARY } from '#ui/form.tsx';
import { Modal } from '#ui/modal.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { toast } from '#ui/toast.ts';

import { FORMATS, rangeWords, sizeWords, typeWords } from './labels.ts';
import { manifestQuery, refreshExports } from './queries.ts';

export type ManifestProps = { item: ExportItem; onClose: () => void };

/** Verification details of the file: checksum, request, and the age of its sources. */
export function ManifestDialog({ item, onClose }: ManifestProps) {
  const query = useQuery(manifestQuery(item.id));
  return (
    <Modal title="Manifest" onClose={onClose}>
      <QueryView
        query={query}
        failed="Failed to load the manifest"
        loading={<output className="label block py-8 text-center">Loading the manifest</output>}
      >
        {(manifest) => <Loaded manifest={manifest} />}
      </QueryView>
    </Modal>
  );
}

function Loaded({ manifest }: { manifest: Manifest }) {
  const { file, sha256, bytes, rows, createdAt, format, query, tables, notes, dataMode } = manifest;
  const facts: [name: string, value: string][] = [
    ['Data', `${typeWords(query.dataTypes)}${dataMode === 'demo' ? ' (demo data)' : ''}`],
    ['Range', rangeWords(query)],
    ['Format', FORMATS[format]],
    ['Created', dateTime(Date.parse(createdAt))],
    ['Size', `${sizeWords(bytes)}, ${grouped(rows)} rows`],
  ];
  const download = () =>
    downloadBlob(new Blob([JSON.stringify(manifest, null, 2)], { type: 'application/json' }), `${file}.manifest.json`);
  return (
    <div className="grid gap-4 text-sm">
      <div className="rounded-ctl bg-raised px-3 py-2.5">
        <div className="flex items-center justify-between gap-3">
          <p className="label">SHA-256 of {file}</p>
          <CopyButton text={sha256} what="SHA-256" />
        </div>
        <p className="num mt-1 font-medium break-all">{sha256}</p>
        <p className="label mt-1.5">
          To verify a copy: <code className="break-all">sha256sum {file}</code>
        </p>
      </div>
      <dl className="grid gap-1.5">
        {facts.map(([name, value]) => (
          <div key={name} className="flex gap-3">
            <dt className="w-20 shrink-0 text-ink-3">{name}</dt>
            <dd className="num min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
      {tables.map((table) => (
        <TableFacts key={table.name} {...table} />
      ))}
      {notes.length > 0 && (
        <ul className="grid gap-1 text-ink-2">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <button type="button" onClick={download} className={SECONDARY}>
        Download Manifest
      </button>
    </div>
  );
}

function TableFacts({ name, rows, grain, columns, sources }: Manifest['tables'][number]) {
  return (
    <details className="border-t border-line pt-3">
      <summary className="font-medium">
        {name} <span className="num font-normal text-ink-3">· {grouped(rows)} rows</span>
      </summary>
      <p className="label mt-1.5">One row: {grain}</p>
      <ul aria-label={`Columns of ${name}`} className="mt-1.5 grid gap-1 text-xs text-ink-2">
        {columns.map((column) => (
          <li key={column.name}>
            <span className="font-medium text-ink">{column.name}</span> {column.type}
            {column.unit && `, ${column.unit}`}
          </li>
        ))}
      </ul>
      <ul aria-label={`Sources of ${name}`} className="mt-1.5 grid gap-1 text-xs text-ink-2">
        {sources.map(({ source, newestAt }) => (
          <li key={source} className="num">
            {source}: {newestAt ? `latest ${dateTime(Date.parse(newestAt))}` : 'no data in this range'}
          </li>
        ))}
      </ul>
    </details>
  );
}

export type DeleteProps = { item: ExportItem; name: string; onClose: () => void };

export function DeleteExport({ item: { id, file_name }, name, onClose }: DeleteProps) {
  const queries = useQueryClient();
  const act = async (signal: AbortSignal) => {
    await call(deleteExport, { params: { id } }, signal);
    toast('success', 'Export deleted');
    void refreshExports(queries);
  };
  return (
    <ConfirmDialog
      title="Delete this export?"
      words={['Delete', 'Deleting...']}
      failed="Failed to delete the export"
      act={act}
      onClose={onClose}
    >
      The file <span className="font-medium break-words text-ink">{file_name ?? name}</span> will be removed from the
      server. Copies you have downloaded are not affected.
    </ConfirmDialog>
  );
}
