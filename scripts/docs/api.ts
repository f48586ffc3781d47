import { presentShape, type Shape, shapeOf } from '#features/api/server/api/http/shape.ts';
import { placeOf } from '#features/api/server/api/parity.ts';
import { type ApiCall, apiCalls } from '#features/api/server/api/service.ts';
import { dashboard } from '#features/site/contract/dashboard.ts';

const LIST = '[]';
const ANY = '*';

/** Every leaf of a payload; `[]` stands for each item of a list, `*` for each name of a record. */
export function leavesOf(shape: Shape, path: readonly string[] = []): string[][] {
  const present = presentShape(shape);
  if (present.properties)
    return Object.entries(present.properties).flatMap(([name, each]) => leavesOf(each, [...path, name]));
  if (present.items) return leavesOf(present.items, [...path, LIST]);
  if (typeof present.additionalProperties === 'object') return leavesOf(present.additionalProperties, [...path, ANY]);
  const several = (present.anyOf ?? []).filter(({ properties }) => properties);
  if (several.length === 0) return [[...path]];
  const all = several.flatMap((each) => leavesOf(each, path));
  return [...new Map(all.map((each) => [each.join('.'), each])).values()];
}

const written = (path: readonly string[]) => path.join('.').replaceAll(`.${LIST}`, LIST);

/** Every field of the dashboard with the call that gives it. @throws for one that no call gives */
export function parityRows(calls: readonly ApiCall[]): { field: string; path: string; place: string }[] {
  const replies = new Map(
    calls
      .filter(({ endpoint }) => endpoint.method === 'GET')
      .map(({ endpoint }) => [endpoint.path as string, new Set(leavesOf(shapeOf(endpoint.reply)).map(written))]),
  );
  return leavesOf(shapeOf(dashboard)).map((leaf) => {
    const field = written(leaf);
    const found = placeOf(leaf);
    const place = found && written(found.field);
    if (!found || !place || !replies.get(found.path)?.has(place)) throw new Error(`No call gives ${field}`);
    return { field, path: found.path, place };
  });
}

const PLANS: Readonly<Record<string, string>> = { public: 'Pro', pro: 'Pro', premium: 'Premium+' };

/** docs/api.md, made from the list of calls. */
export function apiDocument(): string {
  const calls = apiCalls({} as never);
  const rows = calls.map(
    ({ endpoint, summary }) =>
      `| ${endpoint.method} | \`${endpoint.path}\` | ${endpoint.scope} | ${PLANS[endpoint.access] ?? endpoint.access} | ${summary} |`,
  );
  const parity = parityRows(calls).map(({ field, path, place }) => `| \`${field}\` | \`${path}\` | \`${place}\` |`);
  return `# The public API

Whatever the screen shows, a program can read. This page is generated from the list of calls by \`npm run docs\`; the whole of it, with every field and error, is the OpenAPI 3.1 document at \`/api/openapi.json\`, and a client in TypeScript made from it is in \`clients/typescript/\`.

A key is made on the API Keys page and sent as \`X-API-Key: mk_live_…\` or \`Authorization: Bearer mk_live_…\`. Field names are those of the screen's calls, amounts USD and shares percent unless a field says otherwise, times ISO 8601 in UTC.

- **Source and age.** Every number has its birth certificate beside it in \`meta\`, and a null has its reason. \`dataMode\` says whether data are live or the demo's.
- **Fields.** \`fields=prices.symbol,prices.price\` gives only these, with their \`meta\`: there is no number without it. A name that is no field is 400.
- **Pages.** Lists take \`limit\` and \`cursor\`; \`nextCursor\`, also in the \`Link\` header, is the cursor of the next page and null at the end. A cursor of another list is 400.
- **Earlier moments.** \`asOf=2026-11-20T12:00:00Z\` rebuilds the answer from what was stored by then, as far back as the plan shows.
- **CSV.** Lists also come as \`Accept: text/csv\` or \`format=csv\`: a column for each leaf. What a call cannot give is 406.
- **Tags.** Every answer has an \`ETag\`; with \`If-None-Match\` one that has not changed is 304, which costs one call.
- **Limits.** \`RateLimit-Policy\` and \`RateLimit\` stand on every answer, \`Retry-After\` on 429. Calls that fail by our fault cost nothing.
- **Refusals** are \`{ "error": "…", "code": "…" }\`. A parameter that a call does not know is 400.
- **From a browser** any origin may call: keys are headers, there are no cookies.

## Calls

| method | path | scope | plan | what |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
| GET | \`/api/v1/stream\` | market | Pro | What changes, as server-sent events |
| GET | \`/api/openapi.json\` | none | everyone | The OpenAPI 3.1 document |

## The dashboard, field by field

\`[]\` is each item of a list, \`*\` each name of a record.

| field of \`/api/dashboard\` | call | field there |
| --- | --- | --- |
${parity.join('\n')}
`;
}
