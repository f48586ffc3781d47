import { useState } from 'react';
import {
  addWebhook,
  changeWebhook,
  FORMATS,
  type Format,
  MAX_NAME_LENGTH,
  MAX_URL_LENGTH,
  renewSecret,
  type Webhook,
} from '#features/notifications/contract/webhooks.ts';
import { callWithProof } from '#ui/api/proof.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { Field } from '#ui/field.tsx';
import { FormError, PRIMARY, SECONDARY, Submit } from '#ui/form.tsx';
import { Modal } from '#ui/modal.tsx';
import { Select } from '#ui/select.tsx';
import { toast } from '#ui/toast.ts';
import { useSubmit } from '#ui/use-submit.ts';
import { EXAMPLES, FORMAT_NAMES } from './queries.ts';

type Props = {
  secret: string;
  /** It replaces another one. */
  isNew: boolean;
  onDone: () => void;
};

/** Shown only once. */
function SecretShown({ secret, isNew, onDone }: Props) {
  return (
    <div className="grid gap-3 text-sm">
      <p className="text-ink-2">
        Your server uses it to verify our calls. Store it now; it will not be shown again.
        {isNew && ' The previous secret stays valid for another 24 hours.'}
      </p>
      <p className="rounded-ctl bg-raised px-3 py-3 font-mono text-sm break-all">{secret}</p>
      <div>
        <CopyButton text={secret} what="Secret" />
      </div>
      <button type="button" onClick={onDone} className={PRIMARY}>
        I have saved the secret
      </button>
    </div>
  );
}

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
      if (!(await callWithProof(changeWebhook, { params, body }, signal))) return undefined;
      toast('success', 'Webhook saved');
      onChanged();
      return onClose();
    }
    const added = await callWithProof(addWebhook, { body: { ...given, url: url.trim() } }, signal);
    if (!added) return undefined;
    toast('success', 'Webhook added');
    onChanged();
    return added.secret === null ? onClose() : setSecret(added.secret);
  });
  const renewing = useSubmit('Failed to create a new secret', async (signal) => {
    const renewed = await callWithProof(renewSecret, { params }, signal);
    if (!renewed) return;
    setSecret(renewed.secret);
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
          placeholder="For example, Trading desk"
          autoComplete="off"
          required
          maxLength={MAX_NAME_LENGTH}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <FormatField value={format} onChange={setFormat} />
        <Field
          label="URL"
          name="webhook-address"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          required={!webhook}
          maxLength={MAX_URL_LENGTH}
          placeholder={webhook ? `${webhook.host}/… (unchanged)` : EXAMPLES[format]}
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <p className="-mt-2 text-xs text-ink-3">
          {webhook
            ? 'Stored encrypted and not shown again. Enter it only to change it.'
            : 'Stored encrypted; only the host is shown later.'}
        </p>
        {webhook && (
          <label className="flex min-h-10 cursor-pointer items-center gap-2.5">
            <input
              type="checkbox"
              checked={enabled}
              onChange={(event) => setEnabled(event.target.checked)}
              className="size-4 shrink-0 accent-(--accent)"
            />
            Send alerts to this webhook
          </label>
        )}
        <FormError failure={failure ?? renewing.failure} />
        <Submit busy={busy} busyText="Saving..." disabled={name.trim() === '' || (!webhook && !hasAddress)}>
          {webhook ? 'Save' : 'Add Webhook'}
        </Submit>
        {webhook?.format === 'generic' && (
          <div className="border-t border-line pt-3">
            <p className="mb-2 text-ink-2">
              A new secret takes effect immediately. The current one stays valid for another 24 hours, so no call is
              rejected while you switch over.
            </p>
            <button
              type="button"
              aria-disabled={renewing.busy}
              onClick={() => void renewing.submit()}
              className={`${SECONDARY} w-full`}
            >
              {renewing.busy ? 'Creating a new secret...' : 'New Secret'}
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
      <Select size="form" value={value} onText={(text) => onChange(text as Format)}>
        {FORMATS.map((format) => (
          <option key={format} value={format}>
            {FORMAT_NAMES[format]}
          </option>
        ))}
      </Select>
    </label>
  );
}
