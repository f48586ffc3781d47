import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Audience, sendBroadcast } from '#features/notifications/contract/telegram.ts';
import { callWithProof } from '#ui/api/proof.ts';
import { FormError, PRIMARY, SECONDARY } from '#ui/form.tsx';
import { Modal } from '#ui/modal.tsx';
import { toast } from '#ui/toast.ts';
import { useSubmit } from '#ui/use-submit.ts';
import { AnnouncementPreview } from './announcement-preview.tsx';
import { AUDIENCE_WORDS, people } from './bot-labels.ts';

export type SendBroadcastProps = {
  text: string;
  audience: Audience;
  count: number;
  onSent: () => void;
  onClose: () => void;
};

/** `crypto.randomUUID` is not available on pages without HTTPS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes.set([((bytes[6] ?? 0) & 0x0f) | 0x40], 6);
  bytes.set([((bytes[8] ?? 0) & 0x3f) | 0x80], 8);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Confirms with the number of recipients; a retry is the same announcement. */
export function SendBroadcast({ text, audience, count, onSent, onClose }: SendBroadcastProps) {
  const queries = useQueryClient();
  const [key] = useState(newKey);
  const { busy, failure, submit } = useSubmit('Failed to send the announcement', async (signal) => {
    const begun = await callWithProof(sendBroadcast, { body: { key, text, audience } }, signal);
    if (!begun) return;
    toast('success', `Sending to ${people(begun.people)}`);
    void queries.invalidateQueries({ queryKey: ['bot', 'broadcasts'] });
    onSent();
    onClose();
  });
  return (
    <Modal title={`Send to ${people(count)}?`} onClose={onClose}>
      <div className="grid gap-3 text-sm">
        <p className="text-ink-2">
          {AUDIENCE_WORDS[audience]}. It is sent after pending alerts, once per chat, and cannot be recalled once
          received. During quiet hours it waits until they end.
        </p>
        <AnnouncementPreview text={text} />
        <FormError failure={failure} />
        <div className="flex flex-wrap justify-end gap-2">
          <button type="button" onClick={onClose} className={SECONDARY}>
            Cancel
          </button>
          <button type="button" aria-disabled={busy} onClick={() => void submit()} className={PRIMARY}>
            {busy ? 'Sending...' : `Send to ${people(count)}`}
          </button>
        </div>
      </div>
    </Modal>
  );
}
