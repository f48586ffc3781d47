import type { FastifyInstance } from 'fastify';
import { getHealth, getLiveness, getReadiness, type Health } from '#features/operations/contract/health.ts';
import { AppError } from '#kernel/errors.ts';
import { route } from '#kernel/route.ts';
import type { Readiness } from './readiness.ts';

const ASK_AGAIN_SECONDS = 1;

export function healthRoutes(app: FastifyInstance, read: () => Promise<Health>, readiness: Readiness): void {
  route(app, getHealth, read);
  probeRoutes(app, readiness);
}

/** Probes for load balancers and orchestrators. */
export function probeRoutes(app: FastifyInstance, { role, reasons }: Readiness): void {
  route(app, getLiveness, () => ({ status: 'live' as const }));
  route(app, getReadiness, async ({ query: { except } }) => {
    const against = await reasons(except === 'database');
    if (against.length > 0)
      throw new AppError('unavailable', against.join(' '), { retryAfterSeconds: ASK_AGAIN_SECONDS });
    return { status: 'ready' as const, role };
  });
}
