import type { Call, Provider, Reply } from '#sandbox/provider.ts';

/** Ends one call of a batch with an error. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export type RpcMethods = Readonly<Record<string, (params: readonly unknown[], now: number) => unknown>>;

type Request = { id?: unknown; method?: unknown; params?: unknown };

const isRequest = (value: unknown): value is Request => typeof value === 'object' && value !== null;

function handleOne(methods: RpcMethods, request: unknown, now: number) {
  const { id = null, method, params } = isRequest(request) ? request : {};
  const errorReply = (code: number, message: string) => ({ jsonrpc: '2.0', error: { code, message }, id });
  if (typeof method !== 'string') return errorReply(-32_600, 'invalid request');
  const handle = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (!handle) return errorReply(-32_601, `the method ${method} does not exist/is not available`);
  try {
    return { jsonrpc: '2.0', result: handle(Array.isArray(params) ? params : [], now), id };
  } catch (error) {
    if (error instanceof RpcError) return errorReply(error.code, error.message);
    throw error;
  }
}

function withNulls(body: unknown): unknown {
  const withNullResult = (row: object) => ('result' in row ? { ...row, result: null } : row);
  return Array.isArray(body) ? body.map(withNullResult) : withNullResult(body as object);
}

/** A node that accepts one call or a batch by POST, at both forms of its address. */
export function rpcProvider(id: string, name: string, methods: RpcMethods): Provider {
  const base = `/${id}`;
  const handle = ({ json, now }: Call): Reply => {
    if (json === undefined) return { status: 405, body: 'Used HTTP Method is not allowed. POST is required' };
    const body = Array.isArray(json)
      ? json.map((request: unknown) => handleOne(methods, request, now))
      : handleOne(methods, json, now);
    return { body };
  };
  const errorReply = (code: number, message: string) => ({ jsonrpc: '2.0', error: { code, message }, id: null });
  return {
    id,
    base,
    env: {
      [`${name}_RPC_BASE_URL`]: { scheme: 'http', path: base },
    },
    routes: [{ path: '/', handle }],
    notFound: { status: 404, body: 'Not Found' },
    rateLimited: errorReply(429, 'Too many requests for a specific RPC call'),
    serverError: errorReply(-32_603, 'Internal error'),
    withNulls: (_path, body) => withNulls(body),
  };
}

/** The message of a client on its socket, if it is a JSON object. */
export function parseMessage<T extends object>(text: string): Partial<T> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Two decimals from 1 up, six significant digits below, as listings round. */
export function roundListed(value: number): number {
  return Math.abs(value) >= 1 ? Number(value.toFixed(2)) : Number(value.toPrecision(6));
}

export const decimals = (value: number, digits: number): number => Number(value.toFixed(digits));
