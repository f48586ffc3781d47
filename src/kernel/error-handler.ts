import { inspect } from 'node:util';

import type { FastifyInstance, FastifyReply, FastifyServerOptions } from 'fastify';

import { isUnreachable } from './db.ts';
import type { ErrorType, ReportError } from './error-reports.ts';
import { AppError, INTERNAL_MESSAGE } from './errors.ts';

const toParseError = () => new AppError('bad_request', 'The request could not be parsed');
const isDisconnected = () => new AppError('unavailable', 'The database is not responding. Please try again soon.');
const bodyTooLarge = () => new AppError('payload_too_large', 'The request is too large');
const sendRefusal = (reply: FastifyReply, refusal: AppError) => {
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', refusal.retryAfterSeconds);
  return reply.headers(refusal.headers).code(refusal.status).send(refusal.toWire());
};

/** Errors that Fastify raises before any route or hook runs, in our wire format. */
export const earlyErrors: Pick<FastifyServerOptions, 'frameworkErrors' | 'clientErrorHandler'> = {
  frameworkErrors: (_error, _request, reply) => {
    void sendRefusal(reply, toParseError());
  },
  clientErrorHandler: (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const refusal = error.code === 'HPE_HEADER_OVERFLOW' ? bodyTooLarge() : toParseError();
    const body = JSON.stringify(refusal.toWire());
    const head = `HTTP/1.1 ${refusal.status} Refused\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n`;
    if (socket.writable) socket.write(head + body);
    socket.destroy();
  },
};

/**
 * Expected failures show their own message. Anything else is a bug: the response shows the request id, and it is
 * reported under the error type of its path.
 */
export function handleErrors(
  app: FastifyInstance,
  report: ReportError,
  typeOf: (path: string) => ErrorType = () => 'system',
): void {
  app.setErrorHandler((error: unknown, request, reply) => {
    if (error instanceof AppError) return sendRefusal(reply, error);
    if (isUnreachable(error)) return sendRefusal(reply, isDisconnected());
    const status = (error as { statusCode?: number } | undefined)?.statusCode ?? 500;
    if (status >= 400 && status < 500) return sendRefusal(reply, status === 413 ? bodyTooLarge() : toParseError());
    const path = request.routeOptions.url ?? request.url;
    report('server', typeOf(path), `${request.method} ${path} failed`, {
      requestId: request.id,
      error: error instanceof Error ? (error.stack ?? error.message) : inspect(error),
    });
    return reply.code(500).send({ error: `${INTERNAL_MESSAGE} (${request.id})`, code: 'internal' });
  });
}
