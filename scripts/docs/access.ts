import { accessTable, contractRows, OTHER_ROUTES } from '#tests/support/access.ts';

/** docs/access.md, made from the contracts. */
export async function accessDocument(): Promise<string> {
  const others = Object.entries(OTHER_ROUTES).map(([call, who]) => `| \`${call}\` | ${who} |`);
  return `# Access matrix

Generated from the contracts by \`npm run docs\`. \`src/app/server/security/access.test.ts\` calls every row as every kind of caller: anonymous, expired tokens, every plan, a disabled account and API keys. Calls without permission are refused before the body is read: 401 \`unauthenticated\` without a session, 403 \`upgrade_required\` on a lower plan, 403 \`forbidden\` for administrator calls and for keys without the scope. \`owners.test.ts\` calls everything that takes an id with the ids of other accounts: 404, and nothing changes.

A session is a bearer token in the Authorization header; there are no cookies, so other sites cannot make a browser call on behalf of a user. An API key gives access only to the public API and the MCP server, a session to neither.

## Calls

| method | path | access | limit of public writes |
| --- | --- | --- | --- |
${accessTable(await contractRows())}

## Routes without a contract

| route | access |
| --- | --- |
${others.join('\n')}
`;
}
