import { SourceError } from './source-error.ts';

const MAX_CHARACTERS = 32 << 20;

type SocketRequest = { body?: string; signal: AbortSignal };

/**
 * One request over a websocket that closes with its response. A list is sent message by message, and its responses are
 * returned as a list ordered by `id`. Unsolicited messages (without an `id`) are ignored, except an error, which becomes
 * the whole response.
 */
export function fetchOverSocket(url: string, { body = '', signal }: SocketRequest): Promise<Response> {
  const request = JSON.parse(body) as object | object[];
  const messages = Array.isArray(request) ? request : [request];
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const responses: { id: number; message: unknown }[] = [];
  let characters = 0;
  const socket = new WebSocket(url);
  const stop = () => reject(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();

  socket.addEventListener('open', () => {
    for (const message of messages) socket.send(JSON.stringify(message));
  });
  socket.addEventListener('message', ({ data }) => {
    const text = String(data);
    characters += text.length;
    if (characters > MAX_CHARACTERS)
      return reject(new SourceError('body', `The response is larger than ${MAX_CHARACTERS >> 20} MB`));
    const message = parse(text);
    if (message === undefined) return reject(new SourceError('body', 'Sent invalid JSON'));
    if (typeof message?.id !== 'number') {
      return typeof message?.error === 'string' ? resolve(new Response(text)) : undefined;
    }
    responses.push({ id: message.id, message });
    if (responses.length < messages.length) return undefined;
    const inOrder = responses.toSorted((a, b) => a.id - b.id).map((answer) => answer.message);
    return resolve(new Response(JSON.stringify(Array.isArray(request) ? inOrder : inOrder[0])));
  });
  socket.addEventListener('error', () => reject(new TypeError('fetch failed', { cause: 'the socket failed' })));
  socket.addEventListener('close', ({ code }) =>
    reject(new TypeError('fetch failed', { cause: `the socket closed (${code})` })),
  );
  return promise.finally(() => {
    signal.removeEventListener('abort', stop);
    socket.close();
  });
}

function parse(text: string): { id?: unknown; error?: unknown } | null | undefined {
  try {
    return JSON.parse(text) as { id?: unknown; error?: unknown } | null;
  } catch {
    return undefined;
  }
}
