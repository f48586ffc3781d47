import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { item } from '#sandbox/market/time.ts';

import type { FaultRule, Faults } from './faults.ts';
import { type Call, type Provider, type Reply, ReplyError, type Route } from './provider.ts';

type WireReply = { status: number; text: string; headers: Record<string, string> };

const REQUEST_DENIED =
  '<!DOCTYPE html>\n<html><head><title>Request Denied</title></head><body><h1>Request Denied</h1></body></html>\n';

function matchRoute(route: Route, path: string): Record<string, string> | undefined {
  const [expected, actual] = [route.path.split('/'), path.split('/')];
  if (expected.length !== actual.length) return undefined;
  const params: Record<string, string> = {};
  for (const [i, segment] of expected.entries()) {
    const value = item(actual, i);
    if (segment.startsWith(':')) params[segment.slice(1)] = decodeURIComponent(value);
    else if (segment !== value) return undefined;
  }
  return params;
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

async function dispatch(provider: Provider, path: string, call: Omit<Call, 'params'>): Promise<Reply> {
  for (const route of provider.routes) {
    const params = matchRoute(route, path);
    if (!params) continue;
    try {
      return await route.handle({ ...call, params });
    } catch (error) {
      if (error instanceof ReplyError) return error.reply;
      throw error;
    }
  }
  return provider.notFound;
}

function toWire(status: number, body: unknown, headers: Record<string, string> = {}): WireReply {
  const isText = typeof body === 'string';
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
  return { status, text: isText ? body : JSON.stringify(body), headers: { 'content-type': type, ...headers } };
}

const DEFAULT_RETRY_AFTER = 30;
const rateLimitBody = ({ rateLimited: body }: Provider, seconds: number): unknown =>
  typeof body === 'function' ? body(seconds) : body;

/** A response that replaces the real one. */
function faultReply(provider: Provider, rules: readonly FaultRule[]): WireReply | undefined {
  for (const rule of rules) {
    if (rule.kind === 'rate_limit') {
      const retryAfter = rule.retryAfter === undefined ? DEFAULT_RETRY_AFTER : rule.retryAfter;
      return toWire(
        429,
        rateLimitBody(provider, retryAfter ?? DEFAULT_RETRY_AFTER),
        retryAfter === null ? {} : { 'retry-after': String(retryAfter) },
      );
    }
    if (rule.kind === 'rate_limit_200') return toWire(200, rateLimitBody(provider, DEFAULT_RETRY_AFTER));
    if (rule.kind === 'error_200') return toWire(200, provider.softError ?? provider.serverError);
    if (rule.kind === 'server_error') return toWire(rule.status ?? 503, provider.serverError);
    if (rule.kind === 'malformed' && rule.html) {
      return { status: 200, text: REQUEST_DENIED, headers: { 'content-type': 'text/html; charset=utf-8' } };
    }
  }
  return undefined;
}

function corrupted(sent: WireReply, rules: readonly FaultRule[]): WireReply {
  if (rules.some((rule) => rule.kind === 'malformed')) {
    return { ...sent, text: `${sent.text.slice(0, 40)}}}, oops: [${sent.text.slice(40, 80)}` };
  }
  if (rules.some((rule) => rule.kind === 'truncated')) {
    return { ...sent, text: sent.text.slice(0, Math.max(1, Math.floor(sent.text.length / 2))) };
  }
  return sent;
}

function withEtag(sent: WireReply, request: IncomingMessage): WireReply {
  if (sent.status !== 200) return sent;
  const etag = `W/"${createHash('sha1').update(sent.text).digest('base64url')}"`;
  const headers = { ...sent.headers, etag, 'cache-control': 'public, max-age=30' };
  return request.headers['if-none-match'] === etag ? { status: 304, text: '', headers } : { ...sent, headers };
}

/** Responds to one request below a provider's base, faults included. */
export async function serveProvider(
  provider: Provider,
  faults: Faults,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const path = url.pathname.slice(provider.base.length) || '/';
  faults.count(provider.id, path);
  const now = faults.timeFor(provider.id, path);
  const rules = faults.take(provider.id, path);
  if (rules.some((rule) => rule.kind === 'timeout')) return;
  const slow = rules.find((rule) => rule.kind === 'slow');
  if (slow) await sleep(slow.delayMs ?? 3000, undefined, { ref: false });

  let sent = faultReply(provider, rules);
  if (!sent) {
    const rawBody = request.method === 'POST' ? await readBody(request) : Buffer.alloc(0);
    const call = {
      method: request.method ?? 'GET',
      query: url.searchParams,
      headers: request.headers,
      rawBody,
      json: parseJson(rawBody),
      faults: rules,
      now,
    };
    const { status = 200, body, headers } = await dispatch(provider, path, call);
    const nulls = status === 200 && rules.some((rule) => rule.kind === 'nulls') && provider.withNulls;
    const intact = toWire(status, nulls ? nulls(path, body) : body, headers);
    sent = corrupted(provider.conditional ? withEtag(intact, request) : intact, rules);
  }
  if (rules.some((rule) => rule.kind === 'truncated' && rule.cut)) {
    response.writeHead(sent.status, { ...sent.headers, 'content-length': Buffer.byteLength(sent.text) * 2 });
    response.write(sent.text, () => response.destroy());
    return;
  }
  response.writeHead(sent.status, { ...sent.headers, 'content-length': Buffer.byteLength(sent.text) });
  response.end(sent.text);
}
