import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type getMessage,
  getScreenshot,
  type MessageStatus,
  STATUSES,
  setMessageStatus,
} from '#features/contact/contract.ts';
import { dateTime } from '#shared/format.ts';
import { call, type Reply } from '#ui/api/client.ts';
import { saveFile } from '#ui/api/file.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { FormError, SECONDARY } from '#ui/form.tsx';
import { Modal } from '#ui/modal.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { useSubmit } from '#ui/use-submit.ts';
import { MESSAGE_STATUSES, messageQuery } from './queries.ts';

export type MessageDialogProps = { id: number; onChange: () => void; onClose: () => void };

export function MessageDialog({ id, onChange, onClose }: MessageDialogProps) {
  const query = useQuery(messageQuery(useToken(), id));
  return (
    <Modal title={query.data?.subject ?? 'Message'} wide onClose={onClose}>
      <QueryView query={query} failed="Failed to load the message" loading={<div className="skel h-60" />}>
        {(message) => <Whole message={message} onChange={onChange} />}
      </QueryView>
    </Modal>
  );
}

function Whole({ message, onChange }: { message: Reply<typeof getMessage>; onChange: () => void }) {
  const { id, name, email, subject, status, account, createdAt, settledAt, hasScreenshot } = message;
  const queries = useQueryClient();
  const change = useSubmit('Failed to change the status', async (signal, next: MessageStatus) => {
    await call(setMessageStatus, { params: { id: String(id) }, body: { status: next } }, signal);
    await queries.invalidateQueries({ queryKey: ['contact-message'] });
    onChange();
  });
  const save = useSubmit('Failed to download the screenshot', (signal) =>
    saveFile(getScreenshot.path.replace(':id', String(id)), `message-${id}-screenshot`, signal),
  );
  const facts: [string, string][] = [
    ['From', `${name} <${email}>`],
    ['Account', account ?? 'Not signed in'],
    ['Written', dateTime(Date.parse(createdAt))],
    ...(settledAt ? ([['Settled', dateTime(Date.parse(settledAt))]] as [string, string][]) : []),
  ];
  return (
    <>
      <dl className="grid gap-x-6 gap-y-1 text-sm sm:grid-cols-2">
        {facts.map(([term, value]) => (
          <div key={term} className="flex gap-2">
            <dt className="w-14 shrink-0 text-ink-3">{term}</dt>
            <dd className="num min-w-0 break-words">{value}</dd>
          </div>
        ))}
        <div className="flex gap-2">
          <dt className="w-14 shrink-0 text-ink-3">Status</dt>
          <dd>
            <Badge tone={MESSAGE_STATUSES[status].tone}>{MESSAGE_STATUSES[status].words}</Badge>
          </dd>
        </div>
      </dl>
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keys
        tabIndex={0}
        className="mt-3 max-h-[26rem] overflow-auto rounded-ctl border border-line bg-bg p-3 text-sm whitespace-pre-wrap"
      >
        {message.message}
      </pre>
      <div className="mt-3 flex flex-wrap gap-2">
        <a href={`mailto:${email}?subject=${encodeURIComponent(`Re: ${subject}`)}`} className={SECONDARY}>
          Reply by email
        </a>
        {hasScreenshot && (
          <Button className="max-sm:h-10" disabled={save.busy} onClick={() => void save.submit()}>
            Download screenshot
          </Button>
        )}
        <span className="flex flex-wrap gap-2 sm:ml-auto">
          {STATUSES.filter((each) => each !== status && each !== 'new').map((each) => (
            <Button key={each} className="max-sm:h-10" disabled={change.busy} onClick={() => void change.submit(each)}>
              Mark as {MESSAGE_STATUSES[each].words.toLowerCase()}
            </Button>
          ))}
        </span>
      </div>
      <FormError failure={save.failure ?? change.failure} />
    </>
  );
}
