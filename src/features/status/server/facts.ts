import type { Latency } from '#features/notifications/contract.ts';

const CHANNELS: Record<Latency['channels'][number]['channel'], string> = {
  'in-app': 'In the app',
  email: 'Email',
  push: 'Push',
  telegram: 'Telegram',
  webhook: 'Webhook',
};

const took = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);
const count = (n: number) => n.toLocaleString('en-US');

/** How fast alerts were delivered in 30 days, by channel, and what could not be. */
export function factsOf(latency: Latency | null, failed: number): string[] {
  const measured = (latency?.channels ?? []).flatMap(({ channel, n, p50Ms, p95Ms }) =>
    n > 0 && p50Ms !== null && p95Ms !== null
      ? [
          `${CHANNELS[channel]}: half within ${took(p50Ms)}, 95 of 100 within ${took(p95Ms)}, of ${count(n)} in 30 days.`,
        ]
      : [],
  );
  const lost = `${count(failed)} ${failed === 1 ? 'delivery' : 'deliveries'} failed for good in 30 days.`;
  return measured.length > 0 || failed > 0 ? [...measured, lost] : ['No alert was delivered in 30 days.'];
}

/** Each of them says so by a row that it writes: one that cannot reach the database does not count. */
export const servingFact = (processes: number): string =>
  `${count(processes)} ${processes === 1 ? 'process' : 'processes'} reported within two minutes as serving.`;
