import { useAddressChoice } from '#ui/address-filter.ts';
import { Card } from '#ui/card.tsx';
import { CODE, CodeBlock } from '#ui/code-block.tsx';
import { SelectField } from '#ui/inputs.tsx';

type Assistant = {
  name: string;
  /** Where to put the text. */
  where: string;
  text: (address: string) => string;
};

const KEY = 'YOUR_KEY';
const json = (value: unknown) => JSON.stringify(value, null, 2);
const headers = { 'X-API-Key': KEY };

/** Configuration of the MCP server in each assistant. */
const ASSISTANTS: readonly Assistant[] = [
  {
    name: 'Claude Code',
    where: 'Run this once in a terminal.',
    text: (address) => `claude mcp add --transport http meridian ${address} \\\n  --header "X-API-Key: ${KEY}"`,
  },
  {
    name: 'Claude Desktop',
    where: 'In claude_desktop_config.json. The mcp-remote bridge sends the key.',
    text: (address) =>
      json({
        mcpServers: {
          meridian: { command: 'npx', args: ['-y', 'mcp-remote', address, '--header', `X-API-Key:${KEY}`] },
        },
      }),
  },
  {
    name: 'Cursor',
    where: 'In .cursor/mcp.json for one project, or ~/.cursor/mcp.json for all projects.',
    text: (address) => json({ mcpServers: { meridian: { url: address, headers } } }),
  },
  {
    name: 'VS Code',
    where: 'In .vscode/mcp.json. The editor prompts for the key once and stores it.',
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

const NAMES = ASSISTANTS.map(({ name }) => name);

/** Connecting an assistant to the MCP server. */
export function AssistantsPart() {
  const [chosen, choose] = useAddressChoice('assistant', NAMES);
  const address = `${location.origin}/mcp`;
  const assistant = ASSISTANTS.find(({ name }) => name === chosen);
  return (
    <div className="grid items-start gap-3 lg:grid-cols-2">
      <Card id="assistants" title="Connect an AI Assistant">
        <div className="grid gap-3 px-4 pt-1 pb-4 text-sm">
          <p className="text-ink-2">
            The MCP server gives assistants that support the Model Context Protocol the same data as the API, with the
            source and time of every figure. They use your API key, its scopes and your daily quota.
          </p>
          <CodeBlock
            head={<span className="label">Server URL</span>}
            label="URL of the MCP server"
            text={address}
            what="Server URL"
          />
          <ul className="grid gap-2 text-ink-2">
            <li>
              Send the key in the <code className={CODE}>X-API-Key</code> header or as{' '}
              <code className={CODE}>Authorization: Bearer</code>. Create a separate key for each assistant, so that you
              can deactivate one without the others.
            </li>
            <li>Each tool call counts as one API call. Listing the tools is free.</li>
            <li>
              Creating alert rules requires the <code className={CODE}>alerts:write</code> scope, submitting forecasts
              the <code className={CODE}>forecasts:write</code> scope. Keys have neither by default.
            </li>
          </ul>
        </div>
      </Card>
      <Card id="assistant-setup" title="Setup">
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
            Other assistants use the same settings: streamable HTTP transport, the server URL and one header.
          </p>
        </div>
      </Card>
    </div>
  );
}
