import { z } from 'zod';

import type { SourceDescriptor } from '#kernel/source-set.ts';

import type { MetricSource } from '../types.ts';

const BUSY = new Set(['slowDown', 'tooBusy']);

export const xrpl: SourceDescriptor = {
  id: 'xrpl',
  name: 'XRP Ledger',
  gives: 'XRP Ledger transactions per second',
  homepage: 'https://xrpl.org',
  licence: 'Public cluster for light use; public ledger data',
  attribution: null,
  key: 'none',
  options: ({ XRPL_WS_URL }) => ({
    baseUrl: XRPL_WS_URL,
    perMinute: 20,
    burst: 3,
    timeoutMs: 15_000,
    parseError: (body) => {
      const answers = (Array.isArray(body) ? body : [body]) as { error?: string; error_message?: string }[];
      const failed = answers.find((answer) => typeof answer.error === 'string');
      if (!failed?.error) return null;
      return BUSY.has(failed.error) ? 'rate_limited' : (failed.error_message ?? failed.error);
    },
  }),
};

/** Ledger times count from the year 2000. */
const EPOCH_S = 946_684_800;
const LEDGERS = 20;
/** Close times are rounded to 10 s, so the ledger rate is averaged over many. */
const PACE_LEDGERS = 256;

const closed = z.object({ close_time: z.number().positive() });
const validated = z.object({
  result: z.object({
    ledger_index: z.number().int().positive(),
    ledger: closed.extend({ transactions: z.array(z.unknown()) }),
  }),
});
const older = z.array(
  z.object({ result: z.object({ ledger: closed.extend({ transactions: z.array(z.unknown()).optional() }) }) }),
);

/** `ledger`: transactions of the newest ledgers ÷ the ledger interval. */
export const xrpLedger: MetricSource = {
  source: 'xrpl',
  lane: 'slow',
  async read(client, { now, signal }) {
    const ask = (id: number, index: number | 'validated', transactions: boolean) => ({
      id,
      command: 'ledger',
      ledger_index: index,
      transactions,
    });
    const first = (await client.post('', ask(1, 'validated', true), validated, { signal })).data.result;
    const index = first.ledger_index;
    const body = [
      ask(1, index - PACE_LEDGERS, false),
      ...Array.from({ length: LEDGERS - 1 }, (_, i) => ask(2 + i, index - 1 - i, true)),
    ];
    const [pace, ...rest] = (await client.post('', body, older, { signal })).data.map(({ result }) => result.ledger);
    const counts = [first.ledger, ...rest].map(({ transactions }) => transactions?.length);
    const seconds = pace ? (first.ledger.close_time - pace.close_time) / PACE_LEDGERS : 0;
    if (seconds <= 0 || counts.length !== LEDGERS || counts.includes(undefined)) return [];
    const counted = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
    return [
      {
        metric: 'l1.ripple.tps',
        value: counted / (LEDGERS * seconds),
        observedAt: new Date(Math.min(now.getTime(), (EPOCH_S + first.ledger.close_time) * 1000)),
        method: 'computed',
        detail: { terms: `Average over ${LEDGERS} ledgers, ${seconds.toFixed(1)} s` },
      },
    ];
  },
};
