import { z } from 'zod';

import { defineJob, type Job, noPayload } from '#kernel/scheduler.ts';

import { auditPayments } from './service/audit.ts';
import { watchOnce } from './service/watch.ts';
import type { Usdc } from './service.ts';

const onNetwork = z.object({ network: z.enum(['base', 'solana']) });

export const usdcJobs = ({ ctx }: Usdc): Job[] => [
  defineJob({
    name: 'usdc.watch',
    about:
      'Looks once for payments on a network, {"network":"base"} or {"network":"solana"}; workers do so all the time',
    retryLimit: 0,
    payload: onNetwork,
    run: async ({ network }, signal) => void (await watchOnce(ctx, network, signal)),
  }),
  defineJob({
    name: 'usdc.audit',
    about: 'Verifies that the books balance and match the chains',
    schedule: ['23 2 * * *'],
    exclusive: true,
    retryLimit: 1,
    expireSeconds: 1800,
    payload: noPayload,
    run: (_, signal) => auditPayments(ctx, signal),
  }),
];
