export type Tried = {
  status: number;
  statusText: string;
  /** From the request to the first byte. */
  ms: number;
  contentType: string;
  headers: readonly (readonly [name: string, value: string])[];
  text: string;
  /** It went on, and was stopped by the person or at the largest size that is read. */
  cut: boolean;
};

type Asked = { method: string; path: string; key: string; body: string | null };

/** No more than this of an answer is kept, in characters. */
const MOST = 8_000_000;

/** A call with a key, not in the name of the person: any answer is an answer. `signal` ends one that goes on, and what came is kept. */
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
    while (text.length < MOST) {
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
