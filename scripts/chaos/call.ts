import { Agent, request } from 'node:http';

export type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer };

export type Said = {
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
export async function call(origin: string, path: string, said: Said = {}): Promise<Answer> {
  const { method = 'GET', token, ip = '10.0.0.1', json, form, headers = {}, limitMs = 15_000 } = said;
  let body: Buffer | undefined;
  let type: Record<string, string> = {};
  if (json !== undefined) {
    body = Buffer.from(JSON.stringify(json));
    type = { 'content-type': 'application/json' };
  } else if (form) {
    const packed = new Response(form);
    body = Buffer.from(await packed.arrayBuffer());
    type = { 'content-type': packed.headers.get('content-type') ?? '' };
  }
  return new Promise((resolve, reject) => {
    const asked = request(
      `${origin}${path}`,
      {
        method,
        agent,
        signal: AbortSignal.timeout(limitMs),
        headers: {
          'x-forwarded-for': ip,
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...type,
          ...(body ? { 'content-length': body.length } : {}),
          ...headers,
        },
      },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.once('error', reject);
        answer.once('end', () => {
          if (answer.complete)
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) });
          else reject(new Error('The answer broke off'));
        });
      },
    );
    asked.once('error', reject);
    asked.end(body);
  });
}

export const jsonOf = <T>({ body }: Answer): NoInfer<T> => JSON.parse(body.toString()) as T;

/** One call to the simulated outside world, also on a new connection. */
export const reach = (url: string, said: Said = {}): Promise<Answer> => {
  const { origin, pathname, search } = new URL(url);
  return call(origin, `${pathname}${search}`, said);
};
