import type { FastifyInstance } from 'fastify';
import { addCredit, assignSuspense, getBooks, listPayments, listSuspense } from '#features/payments/contract/books.ts';
import { route } from '#kernel/route.ts';
import * as books from './service.ts';

export function booksRoutes(app: FastifyInstance, deps: books.BooksDeps): void {
  route(app, getBooks, () => books.readBooks(deps));
  route(app, listPayments, ({ query }) => books.listPayments(deps, query));
  route(app, listSuspense, () => books.listSuspense(deps));
  route(app, assignSuspense, ({ caller, body }) => books.assign(deps, caller, body));
  route(app, addCredit, ({ caller, body }) => books.credit(deps, caller, body));
}
