import { useState } from 'react';
import {
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
import { call } from '#ui/api/client.ts';
import { FormDialog } from '#ui/form-dialog.tsx';
import { SelectField, TextField } from '#ui/inputs.tsx';
import { useSubmit } from '#ui/use-submit.ts';
import { MessageField } from './message-field.tsx';
import { IMPACT_WORDS, STAGE_WORDS } from './words.ts';

const NEW_STAGES = STAGES.filter((each) => each !== 'resolved');

/** What a field of date and time holds, as UTC. */
const utc = (value: string) => (value === '' ? undefined : new Date(`${value}Z`).toISOString());

type Props = { onDone: () => void; onClose: () => void };

export function IncidentForm({ onDone, onClose }: Props) {
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
