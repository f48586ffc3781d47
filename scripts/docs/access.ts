import { accessTable, contractRows, OTHER_ROUTES } from '#tests/support/access.ts';

/** docs/access.md, made from the contracts. */
export async function accessDocument(): Promise<string> {
  const others = Object.entries(OTHER_ROUTES).map(([call, who]) => `| \`${call}\` | ${who} |`);
  return `# Who may call what

Generated from the contracts by \`npm run docs\`. \`src/app/server/security/access.test.ts\` calls every row as everybody: nobody, tokens that have ended, every plan, a disabled account and API keys. Who may not call is refused before anything of the body is read: 401 \`unauthenticated\` without a session, 403 \`upgrade_required\` on a lower plan, 403 \`forbidden\` for administrators' calls and for keys without the scope. \`owners.test.ts\` beside it calls everything that takes an id with the ids of somebody else: 404, and nothing changes.

A session is a bearer token in the Authorization header. There are no cookies, so that no other site can make a browser call in somebody's name. An API key gives access only to the public API and the MCP server; a session gives access to neither.

## Calls

| method | path | who | what holds back a write that is open to everyone |
| --- | --- | --- | --- |
${accessTable(await contractRows())}

## Routes without a contract

| route | who |
| --- | --- |
${others.join('\n')}
`;
}
