import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, Download, FileCheck2, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { deleteExport, type ExportItem } from '#features/exports/contract/exports.ts';
import { CallError, call } from '#ui/api/client.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { CardFrame } from '#ui/card-frame.tsx';
import { cx } from '#ui/cx.ts';
import { dayOf } from '#ui/day.ts';
import { FormError } from '#ui/form.tsx';
import { part } from '#ui/part.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import { useSubmit } from '#ui/use-submit.ts';
import { downloadExport } from './download.ts';
import type { DeleteProps, ManifestProps } from './export-dialogs.tsx';
import { itemFacts, STATES, typeWords } from './labels.ts';
import { historyQuery, isMaking, refreshExports } from './queries.ts';

const ManifestDialog = part<ManifestProps>({
  name: 'The manifest',
  load: async () => (await import('./export-dialogs.tsx')).ManifestDialog,
});
const DeleteExport = part<DeleteProps>({
  name: 'The dialog',
  load: async () => (await import('./export-dialogs.tsx')).DeleteExport,
});

const ACT = 'max-sm:h-10 aria-disabled:opacity-60';
const percentText = (part: number) => `${Math.floor(Math.min(1, Math.max(0, part)) * 100)}%`;

/** One export with its details, status and actions. */
export function ExportRow({ item, marked = false }: { item: ExportItem; marked?: boolean }) {
  const queries = useQueryClient();
  const { id, data_types, state, error, expires_at, schedule_id } = item;
  const [open, setOpen] = useState<'manifest' | 'delete' | null>(null);
  const [got, setGot] = useState<string | null>(null);
  const saving = useSubmit('The download failed. Please try again.', async (signal) => {
    try {
      await downloadExport(item, signal, (here, all) => setGot(all ? percentText(here / all) : null));
    } finally {
      setGot(null);
    }
  });
  const cancelling = useSubmit('Failed to cancel the export', async (signal) => {
    await call(deleteExport, { params: { id } }, signal);
    await refreshExports(queries);
  });
  const [word, tone] = STATES[state];
  const failure = saving.failure ?? cancelling.failure;
  const name = item.type || typeWords(data_types);
  const isDone = state === 'done';
  return (
    <li className={cx('border-t border-line px-4 py-3', marked && 'bg-raised/50')}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2.5">
        <div className="min-w-0 flex-1 text-sm max-sm:w-full max-sm:flex-none">
          <p className="flex flex-wrap items-center gap-x-2 font-medium">
            <span className="min-w-0 break-words">{name}</span>
            <Badge tone={tone}>{word}</Badge>
            {schedule_id !== null && <Badge>Scheduled</Badge>}
          </p>
          <p className="num text-xs break-words text-ink-3">{itemFacts(item).join(' · ')}</p>
          {isDone && expires_at && <p className="num text-xs text-ink-3">Available until {dayOf(expires_at)}</p>}
          {error && (
            <p className={cx('mt-1 flex gap-1.5 text-xs font-medium', state === 'failed' ? 'text-down' : 'text-ink-2')}>
              <CircleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden="true" />
              {error}
            </p>
          )}
        </div>
        <div role="group" aria-label={name} className="flex flex-wrap gap-1.5">
          {isDone && (
            <>
              <Button className={ACT} aria-disabled={saving.busy} onClick={() => void saving.submit()}>
                <Download className="size-3.5" aria-hidden="true" />
                {saving.busy ? (got ?? 'Downloading...') : 'Download'}
              </Button>
              <Button className={ACT} onClick={() => setOpen('manifest')}>
                <FileCheck2 className="size-3.5" aria-hidden="true" />
                Manifest
              </Button>
              <Button className={ACT} aria-label="Delete" onClick={() => setOpen('delete')}>
                <Trash2 className="size-3.5" aria-hidden="true" />
              </Button>
            </>
          )}
          {isMaking(item) && (
            <Button className={ACT} aria-disabled={cancelling.busy} onClick={() => void cancelling.submit()}>
              {cancelling.busy ? 'Cancelling...' : 'Cancel'}
            </Button>
          )}
        </div>
      </div>
      {isMaking(item) && <Progress name={name} part={item.progress} />}
      {failure && (
        <div className="mt-2">
          <FormError failure={failure} />
        </div>
      )}
      {open === 'manifest' && <ManifestDialog item={item} onClose={() => setOpen(null)} />}
      {open === 'delete' && <DeleteExport item={item} name={name} onClose={() => setOpen(null)} />}
    </li>
  );
}

function Progress({ name, part: share }: { name: string; part: number }) {
  return (
    <div className="mt-2 flex items-center gap-3">
      <div
        role="progressbar"
        aria-label={`${name} progress`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.floor(share * 100)}
        className="h-2 min-w-0 flex-1 overflow-hidden rounded-full bg-raised"
      >
        <div className="h-2 rounded-full bg-accent" style={{ width: percentText(share) }} />
      </div>
      <span className="num w-10 text-right text-xs font-medium text-ink-2">{percentText(share)}</span>
    </div>
  );
}

type Props = {
  title: string;
  /** Maximum number shown, newest first. */
  most?: number;
  /** The export named in the URL. */
  marked?: string | null;
  action?: ReactNode;
  /** Messages when the list is refused: signed out, and on a lower plan. */
  refusal: readonly [signedOut: string, lower: string];
};

/** The user's exports. A list that fails to load is shown empty, with a note. */
export function ExportsList({ title, most, marked = null, action, refusal }: Props) {
  const { data, error, refetch } = useQuery(historyQuery(useToken()));
  const card = { id: 'exports', title, className: 'min-h-56' };
  if (!data && !error) return <CardFrame {...card} />;
  const items = (data ?? []).slice(0, most);
  return (
    <Card {...card} action={items.length > 0 && action}>
      {items.length > 0 ? (
        <ul aria-label={title}>
          {items.map((item) => (
            <ExportRow key={item.id} item={item} marked={item.id === marked} />
          ))}
        </ul>
      ) : (
        <>
          <Empty title="No exports yet" note="Your exports appear here with their files and manifests." />
          {error && !data && (
            <div role="alert" className="flex flex-wrap items-center justify-center gap-3 px-4 pb-6 text-sm text-ink-2">
              {refusalText(error, refusal)}
              <Button className="max-sm:h-10" onClick={() => void refetch()}>
                Retry
              </Button>
            </div>
          )}
        </>
      )}
    </Card>
  );
}

function refusalText(error: Error, [signedOut, lower]: Props['refusal']): string {
  const status = error instanceof CallError ? error.status : 0;
  if (status === 401) return signedOut;
  return status === 403 ? lower : 'Couldn’t refresh the list.';
}
