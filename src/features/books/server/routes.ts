import type { FastifyInstance } from 'fastify';
import type { BillingContext } from '#features/billing/server/service.ts';
import type { Cards } from '#features/cards/server/service.ts';
import type { Usdc } from '#features/usdc/server/service.ts';

export type Books = { billing: BillingContext; cards: Cards; usdc: Usdc };

export function booksRoutes(_app: FastifyInstance, _books: Books): void {}
