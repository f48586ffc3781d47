import { z } from 'zod';
import { presentShape, type Shape, toShape } from '#features/api/server/api/http/response.ts';
import { parsePath } from '#features/api/server/api/parity.ts';
import { type ApiCall, apiCalls } from '#features/api/server/api/service.ts';
import { dashboard } from '#features/site/contract/dashboard.ts';
import { settings } from '#kernel/config.ts';
import { accessTable, contractRows, OTHER_ROUTES } from '#tests/support/access.ts';

/** docs/access.md, generated from the contracts. */
export async function accessDocument(): Promise<string> {
  const otherRows = Object.entries(OTHER_ROUTES).map(([call, who]) => `| \`${call}\` | ${who} |`);
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
${otherRows.join('\n')}
`;
}

const LIST = '[]';
const ANY = '*';

/** Every leaf of a payload; `[]` is each item of a list, `*` each name of a record. */
export function listLeaves(shape: Shape, path: readonly string[] = []): string[][] {
  const present = presentShape(shape);
  if (present.properties)
    return Object.entries(present.properties).flatMap(([name, each]) => listLeaves(each, [...path, name]));
  if (present.items) return listLeaves(present.items, [...path, LIST]);
  if (typeof present.additionalProperties === 'object') return listLeaves(present.additionalProperties, [...path, ANY]);
  const objectVariants = (present.anyOf ?? []).filter(({ properties }) => properties);
  if (objectVariants.length === 0) return [[...path]];
  const variantLeaves = objectVariants.flatMap((each) => listLeaves(each, path));
  return [...new Map(variantLeaves.map((each) => [each.join('.'), each])).values()];
}

const formatPath = (path: readonly string[]) => path.join('.').replaceAll(`.${LIST}`, LIST);

/** Every field of the dashboard with the call that provides it. @throws for a field without one */
export function parityRows(calls: readonly ApiCall[]): { field: string; path: string; location: string }[] {
  const replies = new Map(
    calls
      .filter(({ endpoint }) => endpoint.method === 'GET')
      .map(({ endpoint }) => [endpoint.path as string, new Set(listLeaves(toShape(endpoint.reply)).map(formatPath))]),
  );
  return listLeaves(toShape(dashboard)).map((leaf) => {
    const field = formatPath(leaf);
    const parsed = parsePath(leaf);
    const location = parsed && formatPath(parsed.field);
    if (!parsed || !location || !replies.get(parsed.path)?.has(location)) throw new Error(`No call gives ${field}`);
    return { field, path: parsed.path, location };
  });
}

type Row = ReturnType<typeof parityRows>[number];

/** One row for a whole object whose fields all have the same names in another one. */
function groupRows(rows: readonly Row[], depth = 1): Row[] {
  const prefixOf = ({ field }: Row) => field.split('.').slice(0, depth).join('.');
  return [...Map.groupBy(rows, prefixOf)].flatMap(([head, group]) => {
    const [first, ...rest] = group as [Row, ...Row[]];
    if (rest.length === 0) return first;
    const location = first.location.slice(0, first.location.length - (first.field.length - head.length));
    const hasSamePath = group.every(
      (row) => row.path === first.path && row.location === location + row.field.slice(head.length),
    );
    return hasSamePath ? { ...first, field: head, location } : groupRows(group, depth + 1);
  });
}

const PLANS: Readonly<Record<string, string>> = { public: 'Pro', pro: 'Pro', premium: 'Premium+' };

/** docs/api.md, generated from the list of calls. */
export function apiDocument(): string {
  const calls = apiCalls({} as never);
  const rows = calls.map(
    ({ endpoint, summary }) =>
      `| ${endpoint.method} | \`${endpoint.path}\` | ${endpoint.scope} | ${PLANS[endpoint.access] ?? endpoint.access} | ${summary} |`,
  );
  const parity = groupRows(parityRows(calls)).map(
    ({ field, path, location }) => `| \`${field}\` | \`${path}\` | \`${location}\` |`,
  );
  return `# The public API

Programmatic access to everything shown in the app. \`npm run docs\` generates this page from the list of calls. The OpenAPI 3.1 document at \`/api/openapi.json\` has every field and error; \`clients/typescript/\` has a TypeScript client generated from it.

Create an API key on the API Keys page and send it as \`X-API-Key: mk_live_…\` or \`Authorization: Bearer mk_live_…\`. Field names match those of the app's own API. Unless noted otherwise, amounts are in USD and shares in percent. Times are ISO 8601 in UTC.

- **Source and age.** \`meta\` gives the source and age of every figure, or the reason it is null. \`dataMode\` is \`live\`, or \`demo\` for simulated data.
- **Field selection.** \`fields=prices.symbol,prices.price\` returns only these fields, always with their \`meta\`. Unknown fields return 400.
- **Pagination.** Lists take \`limit\` and \`cursor\`. \`nextCursor\` is the cursor of the next page, null on the last page; the \`Link\` header has the URL. A cursor from another list returns 400.
- **Point in time.** \`asOf=2026-11-20T12:00:00Z\` rebuilds the response from the data stored by then, within the history available on the plan.
- **CSV.** Lists are also available as CSV with \`Accept: text/csv\` or \`format=csv\`, one column per leaf field. Unsupported formats return 406.
- **Caching.** Every response has an \`ETag\`. With \`If-None-Match\`, an unchanged response returns 304, which counts as one call.
- **Rate limits.** Every response has the \`RateLimit-Policy\` and \`RateLimit\` headers; 429 adds \`Retry-After\`. Calls that fail with a server error are not counted.
- **Errors** are \`{ "error": "…", "code": "…" }\`. Unknown parameters return 400.
- **Browsers.** Requests are allowed from any origin (CORS). Keys are sent in headers; there are no cookies.

## Endpoints

| Method | Path | Scope | Plan | Description |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
| GET | \`/api/v1/stream\` | market | Pro | Live updates as server-sent events |
| GET | \`/api/openapi.json\` | none | everyone | The OpenAPI 3.1 document |

## Dashboard fields

\`[]\` is each item of a list, \`*\` each key of a map. A row covers all fields below it.

| Field of \`/api/dashboard\` | Endpoint | Field |
| --- | --- | --- |
${parity.join('\n')}
`;
}

type Property = { description?: string; default?: string | number; enum?: string[]; type?: string };

const escaped = (text: string) => text.replaceAll('|', '\\|');

/** docs/configuration.md, generated from the schema of the settings. */
export function configurationDocument(): string {
  const { properties = {} } = z.toJSONSchema(settings, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, Property>;
  };
  const rows = Object.entries(properties).map(([name, { description = '', default: fallback, enum: choices }]) => {
    const defaultText = fallback === undefined || fallback === '' ? '' : `\`${String(fallback)}\``;
    const values = choices ? ` Values: ${choices.map((choice) => `\`${choice}\``).join(', ')}.` : '';
    return `| \`${name}\` | ${escaped(defaultText)} | ${escaped(description)}${values} |`;
  });
  return `# Configuration

Environment variables. All have a working default; an empty value counts as unset. With an invalid value the product does not start and names the setting.
This page is generated from \`src/kernel/config.ts\` by \`npm run docs\`.

| name | default | meaning |
| --- | --- | --- |
${rows.join('\n')}
`;
}
