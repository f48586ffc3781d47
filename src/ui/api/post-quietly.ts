/** Sends without token or cookies, also while the page is being left. Fire and forget: never throws. */
export function postQuietly(path: string, body: object): void {
  fetch(path, {
    method: 'POST',
    credentials: 'omit',
    keepalive: true,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => undefined);
}
