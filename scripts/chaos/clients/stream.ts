import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { jsonOf } from '../call.ts';
import { attempt, type ChaosContext, callUntilAccepted } from '../context.ts';
import type { Account } from './accounts.ts';

type Message = { id: string; event: string; data: string };

function readMessages(text: string): { messages: Message[]; rest: string } {
  const parts = text.split('\n\n');
  const rest = parts.pop() ?? '';
  const messages = parts.flatMap((part) => {
    const fields = Object.fromEntries(
      part.split('\n').map((line) => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)]),
    );
    return fields['event'] ? [{ id: fields['id'] ?? '', event: fields['event'], data: fields['data'] ?? '' }] : [];
  });
  return { messages, rest };
}

/**
 * A page open for the whole run: it reconnects with the id of its last frame, and reloads everything when the server asks for
 * it.
 */
export function createStreamPage(context: ChaosContext, account: Account) {
  /** Alerts received on the stream, in order. */
  const streamed: number[] = [];
  const readAgainIds = new Set<number>();
  const errors: string[] = [];
  let lastId = '';
  let pendingReads = 0;
  let resets = 0;
  let reconnects = 0;

  /** Retries until it succeeds, because frames the stream has dropped are available nowhere else. */
  async function rereadAlerts(): Promise<void> {
    pendingReads += 1;
    while (
      !(await readAll().then(
        () => true,
        () => false,
      ))
    )
      await sleep(1000, undefined, { ref: false });
    pendingReads -= 1;
  }

  async function readAll(): Promise<void> {
    for (let before = ''; ; ) {
      const response = await callUntilAccepted(context, `/api/alerts?limit=100${before}`, {
        token: account.token,
        ip: account.ip,
      });
      const { alerts } = jsonOf<{ alerts: { id: number }[] }>(response);
      for (const { id } of alerts) readAgainIds.add(id);
      if (alerts.length < 100) return;
      before = `&before=${alerts.at(-1)?.id}`;
    }
  }

  function onMessage({ id, event, data }: Message): void {
    const before = Number(lastId);
    if (event !== 'reset' && lastId !== '' && Number(id) <= before)
      errors.push(`the stream of ${account.email} gave frame ${id} after ${lastId}`);
    if (id) lastId = id;
    if (event === 'reset') {
      resets += 1;
      void rereadAlerts();
    }
    if (event !== 'alerts') return;
    const { alerts } = JSON.parse(data) as { alerts: { id: number }[] };
    for (const alert of alerts) {
      if (streamed.includes(alert.id)) errors.push(`the stream of ${account.email} gave alert ${alert.id} twice`);
      streamed.push(alert.id);
      context.outcomes.recordAccepted('alert by stream');
    }
  }

  /** One connection, until it ends. */
  async function connectStream(signal: AbortSignal, onOpen: () => void): Promise<void> {
    const ticketResponse = await attempt(context, 'stream ticket', '/api/stream/ticket', {
      method: 'POST',
      token: account.token,
      ip: account.ip,
    });
    if (!ticketResponse) return;
    const { ticket } = jsonOf<{ ticket: string }>(ticketResponse);
    const query = `topics=alerts,prices&ticket=${ticket}${lastId ? `&lastEventId=${lastId}` : ''}`;
    await new Promise<void>((resolve) => {
      const opened = request(
        `${context.origin}/api/stream?${query}`,
        { signal, agent: false },
        (response: IncomingMessage) => {
          if (response.statusCode === 200) onOpen();
          let text = '';
          let quiet = performance.now();
          // Like a browser's proxy: a silent stream is considered dead.
          const watch = setInterval(() => {
            if (performance.now() - quiet > 30_000) response.destroy();
          }, 1000);
          response.setEncoding('utf8').on('data', (part: string) => {
            quiet = performance.now();
            const { messages, rest } = readMessages(text + part);
            text = rest;
            for (const message of messages) onMessage(message);
          });
          response.once('close', () => {
            clearInterval(watch);
            resolve();
          });
          response.once('error', () => undefined);
        },
      );
      opened.once('error', () => resolve());
      opened.end();
    });
  }

  return {
    async run(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        await connectStream(signal, () => {
          if (lastId === '') void rereadAlerts();
        });
        reconnects += 1;
        await sleep(400, undefined, { signal, ref: false }).catch(() => undefined);
      }
    },
    isReading: () => pendingReads > 0,
    counts: () => ({ resets, returns: reconnects, streamed: streamed.length }),
    /** Compared with the stored alerts of this user, oldest first. */
    check(own: readonly number[]): string[] {
      const missing = own.filter((id) => !streamed.includes(id) && !readAgainIds.has(id));
      const ownStreamed = streamed.filter((id) => own.includes(id));
      const outOfOrder = ownStreamed.filter((id, i) => i > 0 && id < (ownStreamed[i - 1] ?? 0));
      return [
        ...errors,
        ...missing.map((id) => `the page of ${account.email} never saw alert ${id}`),
        ...outOfOrder.map((id) => `the page of ${account.email} saw alert ${id} out of turn`),
      ];
    },
  };
}
