import { useState } from 'react';
import { type ApiKey, OVERLAPS, regenerateKey } from '#features/api/contract/api-keys.ts';
import { dateTime } from '#shared/format.ts';
import { callWithProof } from '#ui/api/proof.ts';
import { SECONDARY, Submit } from '#ui/form.tsx';
import { Modal } from '#ui/modal.tsx';
import { KeyShown } from './key-shown.tsx';
import { OVERLAP_WORDS } from './labels.ts';
import { useKeyAct } from './queries.ts';

export type RegenerateProps = { apiKey: ApiKey; onClose: () => void };

export function RegenerateKey({ apiKey: { id, name, old_key_until: earlier }, onClose }: RegenerateProps) {
  const [overlapHours, setOverlap] = useState<(typeof OVERLAPS)[number]>(24);
  const [made, setMade] = useState<ApiKey | null>(null);
  const { busy, submit } = useKeyAct('Couldn’t regenerate the key', async (signal) => {
    setMade(await callWithProof(regenerateKey, { params: { id: String(id) }, body: { overlapHours } }, signal));
  });
  if (made) {
    const until = made.old_key_until;
    const note = until
      ? `The previous key works until ${dateTime(Date.parse(until))}.`
      : 'The previous key no longer works.';
    return <KeyShown apiKey={made.api_key} note={note} onClose={onClose} />;
  }
  return (
    <Modal title={`Regenerate ${name}`} onClose={onClose}>
      <form
        className="grid gap-4 text-sm"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p className="text-ink-2">
          A new key replaces this one and keeps its name, scopes and usage count. The old key can stay valid while you
          update your applications.
          {earlier && ' A key still valid from an earlier regeneration stops working now.'}
        </p>
        <fieldset className="grid gap-1">
          <legend className="mb-1 font-medium">Keep the old key valid for</legend>
          {OVERLAPS.map((hours) => (
            <label key={hours} className="flex min-h-10 cursor-pointer items-center gap-2.5">
              <input
                type="radio"
                name="overlap"
                checked={overlapHours === hours}
                onChange={() => setOverlap(hours)}
                className="size-4 shrink-0 accent-(--accent)"
              />
              {OVERLAP_WORDS[hours]}
            </label>
          ))}
        </fieldset>
        <div className="flex flex-wrap justify-end gap-2">
          <button type="button" onClick={onClose} className={SECONDARY}>
            Cancel
          </button>
          <Submit busy={busy} busyText="Regenerating..." className="!w-auto">
            Regenerate
          </Submit>
        </div>
      </form>
    </Modal>
  );
}
