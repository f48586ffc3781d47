export type Tried = {
  status: number;
  statusText: string;
  /** Time to first byte. */
  ms: number;
  contentType: string;
  headers: readonly (readonly [name: string, value: string])[];
  text: string;
  /** The response was cut off by the user or at the size limit. */
  cut: boolean;
};

type Asked = { method: string; path: string; key: string; body: string | null };

/** Maximum characters of a response to store. */
const MAX_CHARACTERS = 8_000_000;

/**
 * A call with an API key instead of the session: any response is valid. `signal` stops an endless one, and the part
 * received is returned.
 */
export async function tryCall({ method, path, key, body }: Asked, signal: AbortSignal): Promise<Tried> {
  const began = performance.now();
  const response = await fetch(path, {
    method,
    signal,
    credentials: 'omit',
    cache: 'no-store',
    headers: {
      ...(key ? { 'x-api-key': key } : {}),
      ...(body === null ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === null ? {} : { body }),
  });
  const ms = Math.round(performance.now() - began);
  const { text, cut } = await readText(response, signal);
  return {
    status: response.status,
    statusText: response.statusText,
    ms,
    contentType: response.headers.get('content-type') ?? '',
    headers: [...response.headers],
    text,
    cut,
  };
}

async function readText(response: Response, signal: AbortSignal): Promise<{ text: string; cut: boolean }> {
  const reader = response.body?.getReader();
  if (!reader) return { text: await response.text(), cut: false };
  const decoder = new TextDecoder();
  let text = '';
  try {
    while (text.length < MAX_CHARACTERS) {
      const { done, value } = await reader.read();
      if (done) return { text: text + decoder.decode(), cut: false };
      text += decoder.decode(value, { stream: true });
    }
    await reader.cancel();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return { text, cut: true };
}
