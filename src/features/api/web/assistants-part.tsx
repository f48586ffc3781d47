import { useState } from 'react';

import { Card } from '#web/ui/card.tsx';
import { CODE, CodeBlock } from '#web/ui/code-block.tsx';
import { SelectField } from '#web/ui/inputs.tsx';
import { ASSISTANTS } from './assistants.ts';

/** How an assistant is let in, and what it can ask. */
export function AssistantsPart() {
  const [chosen, choose] = useState(ASSISTANTS[0]?.name ?? '');
  const address = `${location.origin}/mcp`;
  const assistant = ASSISTANTS.find(({ name }) => name === chosen);
  return (
    <div className="grid items-start gap-3 lg:grid-cols-2">
      <Card id="assistants" title="Let an assistant ask">
        <div className="grid gap-3 px-4 pt-1 pb-4 text-sm">
          <p className="text-ink-2">
            Assistants that speak the Model Context Protocol ask the same questions as programs do, and get the same
            answers, each number with its source and time. They use a key of yours, its scopes and its calls of the day.
          </p>
          <CodeBlock
            head={<span className="label">Address</span>}
            label="Address of the assistants' door"
            text={address}
            what="Address"
          />
          <ul className="grid gap-2 text-ink-2">
            <li>
              The key goes into the header <code className={CODE}>X-API-Key</code> or{' '}
              <code className={CODE}>Authorization: Bearer</code>. Make one of its own for each assistant: it can be
              ended without the others.
            </li>
            <li>Each question that calls a tool counts as one call. Listing the tools counts nothing.</li>
            <li>
              An assistant can create an alert rule only with a key of the scope{' '}
              <code className={CODE}>alerts:write</code>, which no key has unless you choose it.
            </li>
          </ul>
        </div>
      </Card>
      <Card id="assistant-setup" title="Set it up">
        <div className="grid gap-3 px-4 pt-1 pb-4 text-sm">
          <SelectField label="Assistant" problem={null} note={assistant?.where} value={chosen} onText={choose}>
            {ASSISTANTS.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </SelectField>
          {assistant && (
            <CodeBlock
              head={<span className="label">{assistant.name}</span>}
              label={`Configuration for ${assistant.name}`}
              text={assistant.text(address)}
              what="Configuration"
            />
          )}
          <p className="text-ink-2">
            Other assistants take the same: the transport is streamable HTTP, the address above, and one header.
          </p>
        </div>
      </Card>
    </div>
  );
}
