import { Agent, request } from 'node:http';

export type CallResponse = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer };

export type CallOptions = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  token?: string | undefined;
  /** The network of the caller; each has its own limits. */
  ip?: string;
  json?: unknown;
  form?: FormData | URLSearchParams;
  headers?: Record<string, string>;
  limitMs?: number;
};

// A new connection per call, so that the balancer sends each to the next process.
const agent = new Agent({ keepAlive: false });

/** One call through the balancer. Rejects without a complete response: the outcome is then unknown. */
export async function call(origin: string, path: string, options: CallOptions = {}): Promise<CallResponse> {
  const { method = 'GET', token, ip = '10.0.0.1', json, form, headers = {}, limitMs = 15_000 } = options;
  let body: Buffer | undefined;
  let contentType: Record<string, string> = {};
  if (json !== undefined) {
    body = Buffer.from(JSON.stringify(json));
    contentType = { 'content-type': 'application/json' };
  } else if (form) {
    const encoded = new Response(form);
    body = Buffer.from(await encoded.arrayBuffer());
    contentType = { 'content-type': encoded.headers.get('content-type') ?? '' };
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${origin}${path}`,
      {
        method,
        agent,
        signal: AbortSignal.timeout(limitMs),
        headers: {
          'x-forwarded-for': ip,
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...contentType,
          ...(body ? { 'content-length': body.length } : {}),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          if (response.complete)
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
          else reject(new Error('The answer broke off'));
        });
      },
    );
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

export const jsonOf = <T>({ body }: CallResponse): NoInfer<T> => JSON.parse(body.toString()) as T;

/** One call to a simulated external service, also on a new connection. */
export const callUrl = (url: string, options: CallOptions = {}): Promise<CallResponse> => {
  const { origin, pathname, search } = new URL(url);
  return call(origin, `${pathname}${search}`, options);
};
