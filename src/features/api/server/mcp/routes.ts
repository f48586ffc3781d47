import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { ApiCall, ApiDeps } from '#features/api/server/api/service.ts';
import type { Gate } from '#features/api/server/api-keys/service.ts';
import { AppError } from '#kernel/errors.ts';

import type { McpCall } from './server.ts';
import { createTools, type Tool } from './tools.ts';

const BODY_LIMIT = 64 * 1024;
/** Results have structured content from this revision on. */
const FIRST_STRUCTURED = '2025-06-18';
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

type Message = { id?: unknown; method?: unknown };

/** Loaded on first use: ten megabytes that most installations never need. */
const protocol = () => import('@modelcontextprotocol/server');

const refusal = (reply: FastifyReply, status: number, code: number, message: string, id: unknown = null) =>
  reply.code(status).send({ jsonrpc: '2.0', error: { code, message }, id });

/** A site whose name resolves to this server (DNS rebinding) reveals itself in Origin. */
async function refuseForeign({ headers }: FastifyRequest, publicUrl: string): Promise<void> {
  const { hostname } = new URL(publicUrl);
  const allowed = LOOPBACK.includes(hostname) ? LOOPBACK : [hostname];
  const { validateOriginHeader } = await protocol();
  if (validateOriginHeader(headers.origin, allowed).ok) return;
  throw new AppError('forbidden', 'Requests from other origins are not allowed');
}

function messageIn(request: FastifyRequest): Message | undefined {
  try {
    return JSON.parse((request.body as Buffer | undefined)?.toString() ?? '') as Message;
  } catch {
    return undefined;
  }
}

/** The MCP endpoint over HTTP, without sessions, authorised by public API keys. */
export function mcpRoutes(app: FastifyInstance, gate: Gate, calls: readonly ApiCall[], deps: ApiDeps): void {
  const { sources, analysis, mode, now, report, publicUrl } = deps;
  const formatter = { nameOf: sources.nameOf, now, replay: analysis.currentReplay };
  let tools: Tool[] | undefined;
  const given = {
    gate,
    formatter,
    mode,
    version: '1',
    report,
    /** Built on first use: their schemas take as long to build as all other routes. */
    get tools() {
      tools ??= createTools(calls);
      return tools;
    },
  };
  async function open() {
    const [{ createMcpHandler }, { createServer }] = await Promise.all([protocol(), import('./server.ts')]);
    return createMcpHandler(({ authInfo }) => createServer(given, authInfo?.extra?.['visit'] as McpCall), {
      maxSubscriptions: 1,
      onerror: (error) => deps.log.debug({ error: error.message }, 'MCP request rejected'),
    });
  }
  let opened: ReturnType<typeof open> | undefined;
  app.addHook('onClose', async () => (await opened)?.close());

  async function serve(request: FastifyRequest, reply: FastifyReply) {
    const caller = await gate.identify(request.headers);
    const message = messageIn(request);
    if (!message || typeof message !== 'object')
      return refusal(reply, 400, -32_700, 'The request body is not valid JSON');
    if (Array.isArray(message))
      return refusal(reply, 400, -32_600, 'Send one message per request: batches are not supported');
    if (message.method === 'subscriptions/listen')
      return refusal(reply, 404, -32_601, 'Subscriptions are not supported: poll instead', message.id ?? null);
    const version = request.headers['mcp-protocol-version'];
    let limits: Readonly<Record<string, string>> = {};
    const visit: McpCall = {
      headers: request.headers,
      id: request.id,
      caller,
      calls: message.method === 'tools/call',
      isOld: typeof version !== 'string' || version < FIRST_STRUCTURED,
      spent: (headers) => {
        limits = headers;
      },
    };
    const asked = new Request(new URL(request.url, publicUrl()), {
      method: 'POST',
      headers: Object.entries(request.headers).flatMap(([name, value]) =>
        typeof value === 'string' ? [[name, value] as [string, string]] : [],
      ),
    });
    opened ??= open();
    const response = await (await opened).fetch(asked, {
      parsedBody: message,
      authInfo: { token: '', clientId: String(caller.keyId), scopes: [...caller.scopes], extra: { visit } },
    });
    // Read in full, so that the limits can go into the headers: no response here is long-running.
    const body = Buffer.from(await response.arrayBuffer());
    reply.code(response.status).headers(Object.fromEntries(response.headers)).headers(limits);
    return reply.send(body.length > 0 ? body : undefined);
  }

  void app.register((door, _options, done) => {
    door.removeAllContentTypeParsers();
    door.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, parsed) =>
      parsed(null, body),
    );
    door.addHook('onRequest', (request) => refuseForeign(request, publicUrl()));
    door.route({ method: 'POST', url: '/mcp', handler: serve });
    door.route({
      method: ['GET', 'DELETE'],
      url: '/mcp',
      handler: (_request, reply) =>
        refusal(reply.header('allow', 'POST'), 405, -32_000, 'Use POST: sessions are not supported'),
    });
    done();
  });
}
