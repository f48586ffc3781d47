import { useState } from 'react';
import { Card } from '#ui/card.tsx';
import { CODE, CodeBlock } from '#ui/code-block.tsx';
import { SelectField } from '#ui/inputs.tsx';

type Assistant = {
  name: string;
  /** Where the text goes. */
  where: string;
  text: (address: string) => string;
};

const KEY = 'YOUR_KEY';
const json = (value: unknown) => JSON.stringify(value, null, 2);
const headers = { 'X-API-Key': KEY };

/** How assistants are told of the door. */
const ASSISTANTS: readonly Assistant[] = [
  {
    name: 'Claude Code',
    where: 'Run this once in a terminal.',
    text: (address) => `claude mcp add --transport http meridian ${address} \\\n  --header "X-API-Key: ${KEY}"`,
  },
  {
    name: 'Claude Desktop',
    where: 'In claude_desktop_config.json: the bridge mcp-remote carries the key.',
    text: (address) =>
      json({
        mcpServers: {
          meridian: { command: 'npx', args: ['-y', 'mcp-remote', address, '--header', `X-API-Key:${KEY}`] },
        },
      }),
  },
  {
    name: 'Cursor',
    where: 'In .cursor/mcp.json of a project, or ~/.cursor/mcp.json for all.',
    text: (address) => json({ mcpServers: { meridian: { url: address, headers } } }),
  },
  {
    name: 'VS Code',
    where: 'In .vscode/mcp.json. The key is asked for once and kept by the editor.',
    text: (address) =>
      json({
        inputs: [{ type: 'promptString', id: 'meridian-key', description: 'Meridian API key', password: true }],
        servers: { meridian: { type: 'http', url: address, headers: { 'X-API-Key': '${input:meridian-key}' } } },
      }),
  },
  {
    name: 'Codex',
    where: 'In ~/.codex/config.toml. The key is read from the environment.',
    text: (address) => `[mcp_servers.meridian]\nurl = "${address}"\nbearer_token_env_var = "MERIDIAN_KEY"`,
  },
  {
    name: 'Gemini CLI',
    where: 'In ~/.gemini/settings.json.',
    text: (address) => json({ mcpServers: { meridian: { httpUrl: address, headers } } }),
  },
];

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
              <code className={CODE}>alerts:write</code>, and submit forecasts only with{' '}
              <code className={CODE}>forecasts:write</code>; no key has either unless you choose it.
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
