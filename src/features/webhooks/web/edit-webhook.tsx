import { useState } from 'react';

import { call } from '#web/api/client.ts';
import { Field } from '#web/ui/field.tsx';
import { FormError, SECONDARY, Submit } from '#web/ui/form.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { toast } from '#web/ui/toast.ts';
import { useSubmit } from '#web/ui/use-submit.ts';

import {
  addWebhook,
  changeWebhook,
  FORMATS,
  type Format,
  LONGEST_NAME,
  LONGEST_URL,
  renewSecret,
  type Webhook,
} from '../contract.ts';
import { SecretShown } from './secret-shown.tsx';
import { EXAMPLES, FORMAT_NAMES } from './words.ts';

export type EditProps = {
  /** Null for a new one. */
  webhook: Webhook | null;
  onChanged: () => void;
  onClose: () => void;
};

export function EditWebhook({ webhook, onChanged, onClose }: EditProps) {
  const [name, setName] = useState(webhook?.name ?? '');
  const [format, setFormat] = useState<Format>(webhook?.format ?? 'generic');
  const [url, setUrl] = useState('');
  const [enabled, setEnabled] = useState(webhook?.enabled ?? true);
  const [secret, setSecret] = useState<string | null>(null);
  const params = { id: String(webhook?.id) };
  const given = { name: name.trim(), format };
  const hasAddress = url.trim() !== '';

  const { busy, failure, submit } = useSubmit('Failed to save the webhook', async (signal) => {
    if (webhook) {
      const body = { ...given, enabled, ...(hasAddress ? { url: url.trim() } : {}) };
      await call(changeWebhook, { params, body }, signal);
      toast('success', 'Webhook saved');
      onChanged();
      return onClose();
    }
    const added = await call(addWebhook, { body: { ...given, url: url.trim() } }, signal);
    toast('success', 'Webhook added');
    onChanged();
    return added.secret === null ? onClose() : setSecret(added.secret);
  });
  const renewing = useSubmit('Failed to make a new secret', async (signal) => {
    setSecret((await call(renewSecret, { params }, signal)).secret);
    onChanged();
  });

  if (secret !== null)
    return (
      <Modal title="Your signing secret" locked onClose={onClose}>
        <SecretShown secret={secret} isNew={webhook !== null} onDone={onClose} />
      </Modal>
    );
  return (
    <Modal title={webhook ? `Edit ${webhook.name}` : 'Add a webhook'} onClose={onClose}>
      <form
        className="grid gap-3 text-sm"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Field
          label="Name"
          name="webhook-name"
          placeholder="Such as: trading desk"
          autoComplete="off"
          required
          maxLength={LONGEST_NAME}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <FormatField value={format} onChange={setFormat} />
        <Field
          label="Address"
          name="webhook-address"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          required={!webhook}
          maxLength={LONGEST_URL}
          placeholder={webhook ? `${webhook.host}/… stays as it is` : EXAMPLES[format]}
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <p className="-mt-2 text-xs text-ink-3">
          {webhook
            ? 'Kept sealed and not shown again. Enter it only to change it.'
            : 'Kept sealed: only its host is shown later.'}
        </p>
        {webhook && (
          <label className="flex min-h-10 cursor-pointer items-center gap-2.5">
            <input
              type="checkbox"
              checked={enabled}
              onChange={(event) => setEnabled(event.target.checked)}
              className="size-4 shrink-0 accent-(--accent)"
            />
            Send alerts to it
          </label>
        )}
        <FormError failure={failure ?? renewing.failure} />
        <Submit busy={busy} busyText="Saving..." disabled={name.trim() === '' || (!webhook && !hasAddress)}>
          {webhook ? 'Save' : 'Add Webhook'}
        </Submit>
        {webhook?.format === 'generic' && (
          <div className="border-t border-line pt-3">
            <p className="mb-2 text-ink-2">
              A new secret signs at once. The one you have signs too for another 24 hours, so that no call is refused
              while you change it.
            </p>
            <button
              type="button"
              aria-disabled={renewing.busy}
              onClick={() => void renewing.submit()}
              className={`${SECONDARY} w-full`}
            >
              {renewing.busy ? 'Making a new secret...' : 'New Secret'}
            </button>
          </div>
        )}
      </form>
    </Modal>
  );
}

function FormatField({ value, onChange }: { value: Format; onChange: (format: Format) => void }) {
  return (
    <label className="grid gap-1">
      <span className="font-medium">Format</span>
      <select
        value={value}
        onChange={(event) => onChange(event.target.value as Format)}
        className="h-11 w-full rounded-ctl border border-ink-3/75 bg-bg px-2.5 text-lg sm:h-10 sm:text-base"
      >
        {FORMATS.map((format) => (
          <option key={format} value={format}>
            {FORMAT_NAMES[format]}
          </option>
        ))}
      </select>
    </label>
  );
}
