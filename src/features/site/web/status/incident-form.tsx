import { useState } from 'react';
import {
  type AdminIncident,
  COMPONENT_NAMES,
  COMPONENTS,
  type ComponentId,
  createIncident,
  IMPACTS,
  type Impact,
  LONGEST,
  STAGES,
  type Stage,
} from '#features/site/contract/status.ts';
import { dateTime } from '#shared/format.ts';
import { call } from '#ui/api/client.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import { INPUT, Labelled, SelectField, TextField } from '#ui/inputs.tsx';
import { useNow } from '#ui/now.ts';
import { useSubmit } from '#ui/use-submit.ts';
import { IMPACT_WORDS, progressWords, STAGE_WORDS } from './labels.ts';

type Props = { value: string; onText: (text: string) => void };

export function MessageField({ value, onText }: Props) {
  return (
    <Labelled label="Message" note="Public as written; it cannot be changed later.">
      {(control) => (
        <textarea
          {...control}
          value={value}
          rows={4}
          maxLength={LONGEST.message}
          onChange={(event) => onText(event.target.value)}
          className={`${INPUT} py-2`}
          style={{ height: 'auto' }}
        />
      )}
    </Labelled>
  );
}

const NEW_STAGES = STAGES.filter((each) => each !== 'resolved');

/** Value of a datetime field, as UTC. */
const utc = (value: string) => (value === '' ? undefined : new Date(`${value}Z`).toISOString());

type IncidentFormProps = { onDone: () => void; onClose: () => void };

export function IncidentForm({ onDone, onClose }: IncidentFormProps) {
  const [title, setTitle] = useState('');
  const [impact, setImpact] = useState<Impact>('minor');
  const [components, setComponents] = useState<readonly ComponentId[]>([]);
  const [stage, setStage] = useState<Stage>('investigating');
  const [message, setMessage] = useState('');
  const [from, setFrom] = useState('');
  const [until, setUntil] = useState('');
  const isPlanned = impact === 'maintenance';
  const { busy, failure, submit } = useSubmit('Failed to publish the incident', async (signal) => {
    const [startsAt, endsAt] = [utc(from), utc(until)];
    const planned = isPlanned ? { ...(startsAt ? { startsAt } : {}), ...(endsAt ? { endsAt } : {}) } : {};
    await call(
      createIncident,
      { body: { title, impact, components: [...components], stage, message, ...planned } },
      signal,
    );
    onDone();
  });
  return (
    <FormDialog title="New incident" act="Publish" busy={busy} failure={failure} onSubmit={submit} onClose={onClose}>
      <TextField label="Title" value={title} maxLength={LONGEST.title} onText={setTitle} />
      <SelectField label="Impact" value={impact} onText={(value) => setImpact(value as Impact)}>
        {IMPACTS.map((each) => (
          <option key={each} value={each}>
            {IMPACT_WORDS[each]}
          </option>
        ))}
      </SelectField>
      {isPlanned ? (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label="From (UTC)" type="datetime-local" value={from} onText={setFrom} />
          <TextField label="Until (UTC)" type="datetime-local" value={until} onText={setUntil} />
        </div>
      ) : (
        <SelectField label="State" value={stage} onText={(value) => setStage(value as Stage)}>
          {NEW_STAGES.map((each) => (
            <option key={each} value={each}>
              {STAGE_WORDS[each]}
            </option>
          ))}
        </SelectField>
      )}
      <fieldset>
        <legend className="mb-1 text-sm font-medium">Components</legend>
        <div className="grid sm:grid-cols-2">
          {COMPONENTS.map((each) => (
            <label key={each} className="flex min-h-10 cursor-pointer items-center gap-2.5 text-sm">
              <input
                type="checkbox"
                checked={components.includes(each)}
                onChange={({ target }) =>
                  setComponents(target.checked ? [...components, each] : components.filter((other) => other !== each))
                }
                className="size-4 shrink-0 accent-(--accent)"
              />
              {COMPONENT_NAMES[each]}
            </label>
          ))}
        </div>
      </fieldset>
      <MessageField value={message} onText={setMessage} />
    </FormDialog>
  );
}

const TONES: Record<Impact, Tone> = { none: 'plain', minor: 'warn', major: 'down', maintenance: 'accent' };
const time = (iso: string) => dateTime(Date.parse(iso)).replace(/:\d\d UTC$/, ' UTC');

type IncidentRowProps = { incident: AdminIncident; onAct: (act: 'update' | 'retract') => void };

/** One incident with its updates and their authors. */
export function IncidentRow({ incident, onAct }: IncidentRowProps) {
  const now = useNow(60_000);
  const { id, kind, title, impact, components, startsAt, endsAt, author, retractedAt, stage, updates } = incident;
  const isShown = retractedAt === null;
  return (
    <li className="border-t border-line px-4 py-3 text-sm first:border-t-0">
      <article aria-labelledby={`incident-${id}`}>
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <h3 id={`incident-${id}`} className="min-w-0 font-medium break-words">
            {title}
          </h3>
          <Badge tone={TONES[impact]}>{IMPACT_WORDS[impact]}</Badge>
          <Badge>{retractedAt ? 'Retracted' : progressWords(incident, now)}</Badge>
          {kind === 'measured' && <Badge>Measured</Badge>}
        </div>
        <p className="num mt-1 text-xs text-ink-3">
          {time(startsAt)}
          {endsAt ? ` to ${time(endsAt)}` : ', ongoing'}
          {components.length > 0 && ` · ${components.map((each) => COMPONENT_NAMES[each]).join(', ')}`}
          {author && ` · ${author}`}
          {retractedAt && ` · removed from the page ${time(retractedAt)}`}
        </p>
        {updates.length > 0 && (
          <ol className="mt-2 grid gap-2">
            {updates.map((update) => (
              <li key={`${update.at}${update.stage}${update.message}`}>
                <p className="num text-xs text-ink-3">
                  {STAGE_WORDS[update.stage]}, {time(update.at)}
                  {update.author && `, ${update.author}`}
                </p>
                <p className="break-words whitespace-pre-line text-ink-2">{update.message}</p>
              </li>
            ))}
          </ol>
        )}
        {isShown && (stage !== 'resolved' || kind === 'written') && (
          <div className="mt-2 flex flex-wrap gap-2">
            {stage !== 'resolved' && (
              <Button className="max-sm:h-10" onClick={() => onAct('update')}>
                Add update<span className="sr-only"> to {title}</span>
              </Button>
            )}
            {kind === 'written' && (
              <Button className="max-sm:h-10" onClick={() => onAct('retract')}>
                Retract<span className="sr-only"> {title}</span>
              </Button>
            )}
          </div>
        )}
      </article>
    </li>
  );
}
