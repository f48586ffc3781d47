import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Client } from 'pg';
import type { sendRequest } from './people.ts';
import { start, type TestProduct } from './start.ts';

async function query<T>(s: TestProduct, text: string, values: unknown[] = []): Promise<T[]> {
  const client = new Client(s.connection);
  await client.connect();
  try {
    const { rows } = await client.query(text, values);
    return rows as T[];
  } finally {
    await client.end();
  }
}

export type AuditEntry = { action: string; details: Record<string, unknown>; network: string | null };

/** Audit log entries of an account, oldest first. */
export async function readAudit(s: TestProduct, userId: number, subject: string): Promise<AuditEntry[]> {
  const text = `select action, details, network from audit_log where subject_id = $1 and action like $2 order by id`;
  return query(s, text, [userId, `${subject}.%`]);
}

/** Every row of every table in PostgreSQL's text format: bytes are in hex. */
export async function dumpDatabase(s: TestProduct): Promise<string> {
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

const INITIALIZED = 'fastify.initialization';

/** Every route mounted by a product, as 'GET /api/dashboard'; without the HEAD of each GET. */
export async function startWithRoutes(
  options: Parameters<typeof start>[0],
): Promise<{ s: TestProduct; routes: ReadonlySet<string> }> {
  const routes = new Set<string>();
  const watch = (message: unknown) => {
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) if (each !== 'HEAD' && each !== 'OPTIONS') routes.add(`${each} ${url}`);
    });
  };
  subscribe(INITIALIZED, watch);
  const s = await start(options);
  await s.product.app.ready();
  unsubscribe(INITIALIZED, watch);
  return { s, routes };
}

type Reply = Awaited<ReturnType<typeof sendRequest>>;

/** Status and message of a refusal. */
export const statusAndMessage = ({ statusCode, json }: Reply): [number, string] => [
  statusCode,
  json<{ error: string }>().error,
];

/** Sorted, because the order of concurrent responses is unknown. */
export const sortedStatuses = (replies: readonly Reply[]): number[] =>
  replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);

type ResponseFunction = (query: URLSearchParams, headers: IncomingHttpHeaders) => unknown;

export type StubProvider = {
  url: string;
  /** Sets the response of a path; a function may use the query and the headers. */
  respondWith: (path: string, response: unknown, status?: number) => void;
  close: () => Promise<void>;
};

/** A provider with fixed responses: recorded bodies, or bodies no provider should send. */
export async function startStubProvider(): Promise<StubProvider> {
  const responses = new Map<string, { answer: unknown; status: number }>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const stub = responses.get(url.pathname);
    const body =
      typeof stub?.answer === 'function'
        ? (stub.answer as ResponseFunction)(url.searchParams, request.headers)
        : stub?.answer;
    response.writeHead(stub?.status ?? 404, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body ?? { error: 'never given' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${at}`,
    respondWith: (path, response, status = 200) => void responses.set(path, { answer: response, status }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
