import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { Market } from '#sandbox/market/market.ts';
import { type SmtpSink, startSmtpSink } from '#tests/support/smtp-sink.ts';
import { type Receiver, startReceiver } from '#tests/support/webhook-receiver.ts';
import { reach } from './call.ts';

/** The outside world: providers, chains, card service, chats and push services, a mail server, a webhook receiver. */
export type World = {
  urls: Record<string, string>;
  origin: string;
  market: Market;
  smtp: SmtpSink;
  hooks: Receiver;
  fault: (rule: Record<string, unknown>) => Promise<void>;
  clear: () => Promise<void>;
  /** Moves its time forward by this much. */
  advance: (ms: number) => Promise<void>;
  close: () => Promise<void>;
};

export async function openWorld(seed: number): Promise<World> {
  const worker = new Worker(new URL('../../src/sandbox/worker.ts', import.meta.url), { workerData: { seed } });
  const [{ urls }] = (await once(worker, 'message')) as [{ urls: Record<string, string> }];
  const { origin } = new URL(urls['COINGECKO_BASE_URL'] ?? '');
  const [smtp, hooks] = [await startSmtpSink(), await startReceiver()];
  async function tell(method: 'POST' | 'DELETE', path: string, json?: unknown): Promise<void> {
    const said = { method, ...(json === undefined ? {} : { json }) };
    const { status, body } = await reach(`${origin}/__sandbox/${path}`, said);
    if (status !== 200) throw new Error(`The sandbox answered ${status}: ${body.toString()}`);
  }
  return {
    urls,
    origin,
    market: new Market(seed),
    smtp,
    hooks,
    fault: (rule) => tell('POST', 'faults', rule),
    clear: () => tell('DELETE', 'faults'),
    advance: (ms) => tell('POST', 'clock', { advance: ms }),
    async close() {
      await worker.terminate();
      await smtp.down();
      await hooks.close();
    },
  };
}
