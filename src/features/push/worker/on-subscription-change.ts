import { GET_AUTH_TOKEN } from './messages.ts';

const ANSWER_MS = 3000;
const SUBSCRIBE = '/api/push/subscribe';
const UNSUBSCRIBE = '/api/push/unsubscribe';

/** Asks the open pages, as only they can read the storage. Null when none answers. */
async function tokenOf({ clients }: ServiceWorkerGlobalScope): Promise<string | null> {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const answers = pages.map(
    (page) =>
      new Promise<string>((resolve, reject) => {
        const { port1, port2 } = new MessageChannel();
        const giveUp = setTimeout(() => reject(new Error('No answer')), ANSWER_MS);
        port1.onmessage = ({ data }: MessageEvent<{ token?: unknown } | null>) => {
          clearTimeout(giveUp);
          if (typeof data?.token === 'string') resolve(data.token);
          else reject(new Error('Nobody is signed in'));
        };
        page.postMessage({ type: GET_AUTH_TOKEN }, [port2]);
      }),
  );
  return Promise.any(answers).catch(() => null);
}

const post = (path: string, token: string, body: unknown) =>
  fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });

/** A push service has given the browser another address: the server must learn it, in the name of who is signed in. */
export async function onSubscriptionChange(
  worker: ServiceWorkerGlobalScope,
  { oldSubscription, newSubscription }: Pick<PushSubscriptionChangeEvent, 'oldSubscription' | 'newSubscription'>,
): Promise<void> {
  const token = await tokenOf(worker);
  if (token === null) return;
  if (oldSubscription) await post(UNSUBSCRIBE, token, { endpoint: oldSubscription.endpoint });
  const key = oldSubscription?.options.applicationServerKey;
  const subscription =
    newSubscription ??
    (key
      ? await worker.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
      : null);
  if (!subscription) return;
  const { endpoint, keys } = subscription.toJSON();
  await post(SUBSCRIBE, token, { endpoint, keys });
}
