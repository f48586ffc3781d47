import { tokenNow } from '#web/session.ts';

import { CallError, failure } from './client.ts';

/** Asks for a file with a body and hands it to the browser, under the name the server gives it or `name`. */
export async function postForFile(path: string, body: unknown, name: string): Promise<void> {
  const bearer = tokenNow();
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(bearer ? { authorization: `Bearer ${bearer}` } : {}) },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new CallError(0, 'network', 'The server cannot be reached');
  });
  if (!response.ok) throw failure(response.status, await response.json().catch(() => null));
  const given = /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  const file = await response.blob().catch(() => {
    throw new CallError(response.status, 'internal', 'The answer could not be read');
  });
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = given ?? name;
  link.click();
  // Some browsers begin to read it only after this task.
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
