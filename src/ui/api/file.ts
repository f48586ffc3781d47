import { tokenNow } from '#ui/session.ts';

import { CallError, failure } from './client.ts';

const UNREADABLE = 'The server’s response could not be read';
const ATTEMPTS = 4;
const RETRY_DELAY_MS = 500;

type Asked = { body?: unknown; headers?: Record<string, string>; signal?: AbortSignal | undefined };

/** An authenticated request whose response or body is not JSON. It fails in the same way as a call. */
export async function requestFile(path: string, { body, headers, signal }: Asked = {}): Promise<Response> {
  const bearer = tokenNow();
  const response = await fetch(path, {
    headers: {
      ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
      ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { method: 'POST', body: body instanceof FormData ? body : JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new CallError(0, 'network', 'The server is unreachable');
  });
  if (!response.ok) throw failure(response.status, await response.json().catch(() => null));
  return response;
}

/** Hands a file to the browser as a download. */
export function downloadBlob(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers start reading it only after this task.
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Downloads a private file as `name`. */
export async function saveFile(path: string, name: string, signal?: AbortSignal): Promise<void> {
  const response = await requestFile(path, { signal });
  const file = await response.blob().catch(() => {
    throw new CallError(response.status, 'internal', UNREADABLE);
  });
  downloadBlob(file, name);
}

/** The file name given by the server. */
export function responseFileName(response: Response): string | null {
  const header = response.headers.get('content-disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
  if (encoded) return decodeURIComponent(encoded);
  return /filename="([^"]+)"/.exec(header)?.[1] ?? /filename=([^;]+)/.exec(header)?.[1]?.trim() ?? null;
}

type Options = {
  signal?: AbortSignal | undefined;
  /** Bytes received and the total; null while that is unknown. */
  onBytes?: (here: number, all: number | null) => void;
};

const responseLength = (response: Response): number | null => {
  const range = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
  const length = range ?? response.headers.get('content-length');
  return length === null || response.headers.has('content-encoding') ? null : Number(length);
};

const isFinal = (error: unknown): boolean => error instanceof CallError && error.status > 0 && error.status < 500;

/**
 * The whole file of a started response. When the connection breaks, it resumes at `path`; if the server sends the whole
 * file again, it starts over. A file that is too short is never returned.
 */
export async function readWhole(begun: Response | null, path: string, options: Options = {}): Promise<Blob> {
  const { signal, onBytes } = options;
  let parts: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  let all: number | null = null;
  let tag: string | null = null;
  let type = '';
  let next = begun;
  for (let attempt = 1; ; attempt++) {
    try {
      const going: Record<string, string> =
        offset > 0 ? { range: `bytes=${offset}-`, ...(tag ? { 'if-range': tag } : {}) } : {};
      const response = next ?? (await requestFile(path, { headers: going, signal }));
      next = null;
      if (response.status !== 206) [parts, offset] = [[], 0];
      tag = response.headers.get('etag');
      type = response.headers.get('content-type') ?? '';
      all = responseLength(response);
      for await (const part of chunksOf(response)) {
        parts.push(part);
        offset += part.length;
        onBytes?.(offset, all);
      }
      if (all !== null && offset < all) throw new CallError(0, 'network', 'The download was interrupted');
      return new Blob(parts, { type });
    } catch (error) {
      next = null;
      if (signal?.aborted || isFinal(error)) throw error;
      if (attempt === ATTEMPTS) throw new CallError(0, 'network', 'The download was interrupted. Please try again.');
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS * attempt));
    }
  }
}

async function* chunksOf(response: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader();
  if (!reader) return;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
