import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { start, type TestProduct } from '#tests/support/start.ts';

import { findTracer } from './tracing.ts';

type OtlpSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
  status: { code?: number; message?: string };
};
type Body = {
  resourceSpans: { resource: { attributes: OtlpSpan['attributes'] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
};

/** A collector: the spans and headers it received, and how it responds. */
const heard: { spans: OtlpSpan[]; resources: string[]; headers: unknown[] } = { spans: [], resources: [], headers: [] };
let sink: Server;
let s: TestProduct;
let url: string;

const attributeOf = (span: OtlpSpan | undefined, key: string) => {
  const value = span?.attributes.find((each) => each.key === key)?.value;
  return value?.stringValue ?? Number(value?.intValue);
};
const named = (name: string) => heard.spans.filter((span) => span.name === name);

beforeAll(async () => {
  sink = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      heard.headers.push(request.headers['x-key']);
      for (const { resource, scopeSpans } of (JSON.parse(text) as Body).resourceSpans) {
        heard.resources.push(JSON.stringify(resource.attributes));
        heard.spans.push(...scopeSpans.flatMap(({ spans }) => spans));
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(sink.address() as AddressInfo).port}/`;
  expect(findTracer()).toBeNull();
  s = await start({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=k1=2, other=z',
      OTEL_SERVICE_NAME: 'meridian-test',
    },
  });
  url = `http://127.0.0.1:${(await s.product.listen()).port}`;
});
afterAll(async () => {
  await s.stop();
  sink.closeAllConnections();
  sink.close();
  expect(findTracer()).toBeNull();
});

describe('traces', () => {
  test('a request is a tree: the call under the caller’s span, its queries under the call', async () => {
    const [trace, parent] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
    const answer = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', traceparent: `00-${trace}-${parent}-01` },
      body: JSON.stringify({ email: 'nobody@example.com', password: 'Hidden-words-77' }),
    });
    expect(answer.status).toBe(401);
    await expect.poll(() => named('POST /api/auth/login'), { timeout: 8000 }).toHaveLength(1);
    const [call] = named('POST /api/auth/login');
    expect(call).toMatchObject({ traceId: trace, parentSpanId: parent, kind: 2 });
    expect([attributeOf(call, 'http.route'), attributeOf(call, 'http.response.status_code')]).toEqual([
      '/api/auth/login',
      401,
    ]);
    const queries = heard.spans.filter(({ parentSpanId }) => parentSpanId === call?.spanId);
    expect(queries.length).toBeGreaterThan(0);
    for (const query of queries)
      expect(query).toMatchObject({ traceId: trace, name: expect.stringMatching(/^db \w+$/) });
    expect(heard.resources.at(-1)).toContain('meridian-test');
    expect(heard.headers.at(-1)).toBe('k1=2');
    expect(JSON.stringify(heard.spans)).not.toMatch(/Hidden-words|nobody@example/);
  });

  test('a prepared buffer, and a header without a span', async () => {
    await fetch(`${url}/api/prices?x=1`, { headers: { traceparent: '00-zz-11-01' } });
    await fetch(`${url}/api/prices`, { headers: { traceparent: `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01` } });
    await expect.poll(() => named('GET /api/prices'), { timeout: 8000 }).toHaveLength(2);
    for (const span of named('GET /api/prices')) expect(span.parentSpanId ?? '').toBe('');
  });

  test('a job contains its source calls and its queries, a failure is recorded without its message', async () => {
    await s.product.scheduler.runManually('market.listing');
    s.sandbox.faults.set({ provider: '*', kind: 'server_error' });
    await expect(s.product.scheduler.runManually('market.listing')).rejects.toThrow();
    s.sandbox.faults.clear();
    const failed = () => named('job market.listing').filter(({ status }) => status.code === 2);
    await expect.poll(failed, { timeout: 8000 }).toHaveLength(1);
    const [job] = named('job market.listing');
    const within = heard.spans.filter(({ traceId }) => traceId === job?.traceId).map(({ name }) => name);
    expect(within).toContain('GET CoinGecko');
    expect(within.filter((name) => name.startsWith('db ')).length).toBeGreaterThan(0);
    expect(failed()[0]?.status.message).toMatch(/^\w*Error$/);
    for (const { attributes } of heard.spans) expect(JSON.stringify(attributes)).not.toMatch(/https?:\/\//);
  });

  test('without a collector nothing breaks, the backlog is bounded, and later ones arrive again', async () => {
    const { port } = sink.address() as AddressInfo;
    sink.closeAllConnections();
    await new Promise((resolve) => sink.close(resolve));
    const tracer = findTracer();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 200_000; i++) tracer?.begin(`lost ${i % 7}`, 'server', { n: i }).end();
    const answers = await Promise.all(Array.from({ length: 50 }, () => fetch(`${url}/api/prices`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    globalThis.gc?.();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200 << 20);
    await new Promise<void>((resolve) => sink.listen(port, '127.0.0.1', resolve));
    await expect
      .poll(
        async () => {
          await fetch(`${url}/api/health/live`);
          return named('GET /api/health/live').length;
        },
        { timeout: 40_000, interval: 500 },
      )
      .toBeGreaterThan(0);
    expect(heard.spans.filter(({ name }) => name.startsWith('lost')).length).toBeLessThanOrEqual(2048 + 512);
  });
});
