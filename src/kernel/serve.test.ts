import type { AddressInfo } from 'node:net';

import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';

import { handleErrors } from './error-handler.ts';
import { createReadModel, type ReadModel } from './read-model.ts';
import type { Caller } from './route.ts';
import { serve, serveBeforeRouter } from './serve.ts';

const PUBLIC = endpoint({ method: 'GET', path: '/api/plain', access: 'public', reply: z.object({ n: z.number() }) });
const MEMBERS = endpoint({ method: 'GET', path: '/api/members', access: 'pro', reply: z.object({ n: z.number() }) });

let app: FastifyInstance;
let model: ReadModel<{ n: number }>;
let routed: string[];
let origin: string;

beforeEach(async () => {
  app = Fastify();
  routed = [];
  model = createReadModel<{ n: number }>({ onInvalid: () => undefined });
  const asked = (caller: Caller | null) => {
    routed.push(caller ? caller.plan : 'nobody');
    return model;
  };
  serveBeforeRouter(app, () => undefined);
  app.decorateRequest('caller', null);
  app.addHook('onRequest', async (request) => {
    routed.push(`router ${request.url}`);
  });
  handleErrors(app, () => undefined);
  serve(app, PUBLIC, asked);
  serve(app, MEMBERS, asked);
  await app.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterEach(() => app.close());

const get = (path: string, init?: RequestInit) => fetch(origin + path, init);

test('the simplest read is served before the router, with its ETag, and 304 for a cached version', async () => {
  await model.publish({ n: 1 });
  await model.ready();
  const first = await get('/api/plain');
  expect(await first.json()).toEqual({ n: 1 });
  const again = await get('/api/plain', { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
  expect(again.status).toBe(304);
  expect(routed.filter((line) => line.startsWith('router'))).toEqual([]);
});

test('a query, an account, another method and another address take the normal route to the same response', async () => {
  await model.publish({ n: 2 });
  expect(await (await get('/api/plain?t=1')).json()).toEqual({ n: 2 });
  expect(await (await get('/api/plain', { headers: { authorization: 'Bearer x' } })).json()).toEqual({ n: 2 });
  expect((await get('/api/plain', { method: 'HEAD' })).status).toBe(200);
  expect((await get('/api/plain', { method: 'POST' })).status).toBe(404);
  expect(routed.filter((line) => line.startsWith('router'))).toHaveLength(4);
});

test('responses that need an account are never served directly', async () => {
  await model.publish({ n: 3 });
  expect((await get('/api/members')).status).toBe(401);
});
