import { tokenNow } from '#web/session.ts';

import { CallError, failure } from './client.ts';

const UNREADABLE = 'The answer could not be read';

/** Gets a file that only its owner may read, and hands it to the browser to be kept as `name`. */
export async function saveFile(path: string, name: string, signal?: AbortSignal): Promise<void> {
  const bearer = tokenNow();
  const response = await fetch(path, {
    headers: bearer ? { authorization: `Bearer ${bearer}` } : {},
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new CallError(0, 'network', 'The server cannot be reached');
  });
  if (!response.ok) throw failure(response.status, await response.json().catch(() => null));
  const file = await response.blob().catch(() => {
    throw new CallError(response.status, 'internal', UNREADABLE);
  });
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers begin to read it only after this task.
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
