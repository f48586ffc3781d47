import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Client } from 'pg';
import type { sendRequest } from './people.ts';
import { type Started, start } from './start.ts';

async function query<T>(s: Started, text: string, values: unknown[] = []): Promise<T[]> {
  const client = new Client(s.connection);
  await client.connect();
  try {
    const { rows } = await client.query(text, values);
    return rows as T[];
  } finally {
    await client.end();
  }
}

export type Audited = { action: string; details: Record<string, unknown>; network: string | null };

/** Audit log entries of an account, oldest first. */
export async function auditOf(s: Started, userId: number, noun: string): Promise<Audited[]> {
  const text = `select action, details, network from audit_log where subject_id = $1 and action like $2 order by id`;
  return query(s, text, [userId, `${noun}.%`]);
}

/** Every row of every table in PostgreSQL's text format: bytes are in hex. */
export async function everything(s: Started): Promise<string> {
  const tables = await query<{ name: string }>(
    s,
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await query<{ row: string }>(s, `select t::text as row from ${name} t`);
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}

const MADE = 'fastify.initialization';

/** Every route mounted by a product, as 'GET /api/dashboard'; without the HEAD of each GET. */
export async function startWithRoutes(
  options: Parameters<typeof start>[0],
): Promise<{ s: Started; routes: ReadonlySet<string> }> {
  const routes = new Set<string>();
  const watch = (message: unknown) => {
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) if (each !== 'HEAD' && each !== 'OPTIONS') routes.add(`${each} ${url}`);
    });
  };
  subscribe(MADE, watch);
  const s = await start(options);
  await s.product.app.ready();
  unsubscribe(MADE, watch);
  return { s, routes };
}

type Reply = Awaited<ReturnType<typeof sendRequest>>;

/** Status and message of a refusal. */
export const said = ({ statusCode, json }: Reply): [number, string] => [statusCode, json<{ error: string }>().error];

/** Sorted, because the order of concurrent responses is unknown. */
export const statusesOf = (replies: readonly Reply[]): number[] =>
  replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);

type Given = (query: URLSearchParams, headers: IncomingHttpHeaders) => unknown;

export type Answers = {
  url: string;
  /** Sets the response of a path; a function may use the query and the headers. */
  give: (path: string, answer: unknown, status?: number) => void;
  close: () => Promise<void>;
};

/** A provider with fixed responses: recorded bodies, or bodies no provider should send. */
export async function startAnswers(): Promise<Answers> {
  const given = new Map<string, { answer: unknown; status: number }>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const found = given.get(url.pathname);
    const body =
      typeof found?.answer === 'function' ? (found.answer as Given)(url.searchParams, request.headers) : found?.answer;
    response.writeHead(found?.status ?? 404, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body ?? { error: 'never given' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${at}`,
    give: (path, answer, status = 200) => void given.set(path, { answer, status }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
