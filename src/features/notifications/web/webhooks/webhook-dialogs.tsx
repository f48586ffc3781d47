import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import {
  type Attempt,
  addWebhook,
  changeWebhook,
  FORMATS,
  type Format,
  MAX_NAME_LENGTH,
  MAX_URL_LENGTH,
  removeWebhook,
  renewSecret,
  type Webhook,
} from '#features/notifications/contract/webhooks.ts';
import { dateTime } from '#shared/format.ts';
import { call } from '#ui/api/client.ts';
import { callWithProof } from '#ui/api/proof.ts';
import { Badge } from '#ui/badge.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Field } from '#ui/field.tsx';
import { FormError, PRIMARY, SECONDARY, Submit } from '#ui/form.tsx';
import { Modal } from '#ui/modal.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { Select } from '#ui/select.tsx';
import { Empty } from '#ui/states.tsx';
import { toast } from '#ui/toast.ts';
import { useSubmit } from '#ui/use-submit.ts';

import { attemptsQuery, EXAMPLES, FORMAT_NAMES, outcomeText, STATES } from './queries.ts';

export type AttemptsProps = { webhook: Webhook; onClose: () => void };

export function AttemptsDialog({ webhook: { id, name }, onClose }: AttemptsProps) {
  const query = useQuery(attemptsQuery(id));
  return (
    <Modal title={`Log of ${name}`} wide onClose={onClose}>
      <div className="min-h-56">
        <QueryView
          query={query}
          failed="Failed to load the log"
          loading={
            <div className="grid gap-3">
              <output className="sr-only">Loading the log</output>
              {['a', 'b', 'c'].map((row) => (
                <div key={row} className="skel h-8" aria-hidden="true" />
              ))}
            </div>
          }
          isEmpty={({ attempts }) => attempts.length === 0}
          empty={<Empty title="Nothing sent yet" note="Alerts and tests are listed here for 30 days." />}
        >
          {({ attempts }) => (
            <>
              <p className="label mb-2">The latest 200 calls from the last 30 days</p>
              <div
                // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keys
                tabIndex={0}
                role="region"
                aria-label="Calls"
                className="max-h-[26rem] overflow-y-auto border-y border-line"
              >
                <ul className="divide-y divide-line">
                  {attempts.map((attempt) => (
                    <AttemptRow key={attempt.id} {...attempt} />
                  ))}
                </ul>
              </div>
            </>
          )}
        </QueryView>
      </div>
    </Modal>
  );
}

function AttemptRow(attempt: Attempt) {
  const isTest = attempt.deliveryId === null;
  const [tone, word] = STATES[isTest && attempt.state === 'later' ? 'failed' : attempt.state];
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-0.5 py-2 text-sm">
      <span className="num text-xs leading-5 text-ink-3">{dateTime(Date.parse(attempt.at))}</span>
      <span>
        <Badge tone={tone}>{word}</Badge>
      </span>
      <span className="col-span-2 min-w-0 break-words">
        <span className="num">{outcomeText(attempt)}</span>
        <span className="num block text-xs break-words text-ink-3">
          {attempt.kind}
          {!isTest && ` · dlv_${attempt.deliveryId}`}
        </span>
      </span>
    </li>
  );
}

export type RemoveProps = { webhook: Webhook; onRemoved: () => void; onClose: () => void };

export function RemoveWebhook({ webhook: { id, name, host }, onRemoved, onClose }: RemoveProps) {
  const act = async (signal: AbortSignal) => {
    await call(removeWebhook, { params: { id: String(id) } }, signal);
    toast('success', `Webhook ${name} removed`);
    onRemoved();
  };
  return (
    <ConfirmDialog
      title="Remove this webhook?"
      words={['Remove', 'Removing...']}
      failed="Failed to remove the webhook"
      act={act}
      onClose={onClose}
    >
      <span className="font-medium text-ink">{name}</span> at {host} will no longer receive alerts. Its secret and log
      are deleted.
    </ConfirmDialog>
  );
}

type SecretShownProps = {
  secret: string;
  /** It replaces another one. */
  isNew: boolean;
  onDone: () => void;
};

/** Shown only once. */
function SecretShown({ secret, isNew, onDone }: SecretShownProps) {
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
