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
export const ASSISTANTS: readonly Assistant[] = [
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
