import { useState } from 'react';

import { call } from '#web/api/client.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { SelectField } from '#web/ui/inputs.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';

import { type AdminIncident, STAGES, type Stage, updateIncident } from '../contract.ts';
import { MessageField } from './message-field.tsx';
import { STAGE_WORDS } from './words.ts';

type Props = { incident: AdminIncident; onDone: () => void; onClose: () => void };

export function UpdateForm({ incident: { id, kind, title, stage, endsAt }, onDone, onClose }: Props) {
  const stages = kind === 'measured' && endsAt === null ? STAGES.filter((each) => each !== 'resolved') : STAGES;
  const [next, setNext] = useState<Stage>(stage ?? 'investigating');
  const [message, setMessage] = useState('');
  const { busy, failure, submit } = useSubmit('Failed to add the update', async (signal) => {
    await call(updateIncident, { params: { id: String(id) }, body: { stage: next, message } }, signal);
    onDone();
  });
  return (
    <FormDialog
      title={`Update: ${title}`}
      act={next === 'resolved' ? 'Resolve' : 'Add update'}
      busy={busy}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField label="State" value={next} onText={(value) => setNext(value as Stage)}>
        {stages.map((each) => (
          <option key={each} value={each}>
            {STAGE_WORDS[each]}
          </option>
        ))}
      </SelectField>
      <MessageField value={message} onText={setMessage} />
    </FormDialog>
  );
}
