import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { Market } from '#sandbox/market/market.ts';
import { type SmtpSink, startSmtpSink } from '#tests/support/smtp-sink.ts';
import { type Receiver, startReceiver } from '#tests/support/webhook-receiver.ts';
import { callUrl } from './call.ts';

/** External services: providers, chains, card service, chats and push services, a mail server, a webhook receiver. */
export type ExternalServices = {
  urls: Record<string, string>;
  origin: string;
  market: Market;
  smtp: SmtpSink;
  webhooks: Receiver;
  setFault: (rule: Record<string, unknown>) => Promise<void>;
  clearFaults: () => Promise<void>;
  /** Moves its time forward by this much. */
  advance: (ms: number) => Promise<void>;
  close: () => Promise<void>;
};

export async function startExternalServices(seed: number): Promise<ExternalServices> {
  const worker = new Worker(new URL('../../src/sandbox/worker.ts', import.meta.url), { workerData: { seed } });
  const [{ urls }] = (await once(worker, 'message')) as [{ urls: Record<string, string> }];
  const { origin } = new URL(urls['COINGECKO_BASE_URL'] ?? '');
  const [smtp, webhooks] = [await startSmtpSink(), await startReceiver()];
  async function callControl(method: 'POST' | 'DELETE', path: string, json?: unknown): Promise<void> {
    const options = { method, ...(json === undefined ? {} : { json }) };
    const { status, body } = await callUrl(`${origin}/__sandbox/${path}`, options);
    if (status !== 200) throw new Error(`The sandbox answered ${status}: ${body.toString()}`);
  }
  return {
    urls,
    origin,
    market: new Market(seed),
    smtp,
    webhooks,
    setFault: (rule) => callControl('POST', 'faults', rule),
    clearFaults: () => callControl('DELETE', 'faults'),
    advance: (ms) => callControl('POST', 'clock', { advance: ms }),
    async close() {
      await worker.terminate();
      await smtp.down();
      await webhooks.close();
    },
  };
}
