import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';

import { fileDatabase } from '#tests/support/for-file.ts';

import { loadConfig } from './config.ts';
import { deleteOldCalls } from './source-calls.ts';
import { createSourceSet, normalizeEndpoint, type SourceDescriptor } from './source-set.ts';

const HOUR_MS = 3_600_000;
const any = z.unknown();

const open = fileDatabase();
let server: Server;
let status: number;
let nowMs: number;

beforeEach(async () => {
  nowMs = Date.parse('2026-11-20T12:00:00Z');
  status = 200;
  server = createServer((_, response) => response.writeHead(status).end('{"ok":true}'));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const source = (id: string, more: Partial<SourceDescriptor> = {}): SourceDescriptor => ({
  id,
  name: id.toUpperCase(),
  gives: 'Figures',
  homepage: 'https://example.org',
  licence: 'Free',
  attribution: null,
  key: 'none',
  options: () => ({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    perMinute: 6000,
    burst: 100,
    retries: 0,
  }),
  ...more,
});

function openSet(env: Record<string, string> = {}, ...descriptors: SourceDescriptor[]) {
  const now = () => new Date(nowMs);
  return createSourceSet({ db: open.db, config: loadConfig(env), now, report: () => undefined }, descriptors);
}

describe('the source record', () => {
  test('counts our own calls over 24 hours and 30 days, and continues after a restart', async () => {
    const set = openSet({}, source('a'), source('b'));
    for (let i = 0; i < 3; i++) await set.client('a').get('/x', any);
    status = 500;
    await expect(set.client('a').get('/x', any)).rejects.toThrow('returned 500');
    await set.save();
    nowMs += 40 * HOUR_MS;
    status = 200;
    const later = openSet({}, source('a'), source('b'));
    await later.client('a').get('/x', any);
    await later.save();
    const [a, b] = await later.records();
    expect(a?.day).toMatchObject({ calls: 1, success_rate: 100 });
    expect(a?.month).toMatchObject({ calls: 5, success_rate: 80 });
    expect(a?.month.latency_ms).toBeGreaterThan(0);
    expect(b?.month).toEqual({ calls: 0, success_rate: null, latency_ms: null });
    await deleteOldCalls(open.db, new Date(nowMs + 32 * 24 * HOUR_MS));
    expect((await later.records())[0]?.month.calls).toBe(0);
  });

  test('states why a source is off, without treating it as a failure', async () => {
    const set = openSet({}, source('a', { off: () => 'Needs a key: set A_API_KEY', key: 'required' }));
    expect(set.isOn('a')).toBe(false);
    expect(set.health()).toEqual([
      expect.objectContaining({ id: 'a', state: 'key_missing', note: 'Needs a key: set A_API_KEY' }),
    ]);
  });

  test('one client per source: its call limit is shared by all callers', () => {
    const set = openSet({}, source('a'));
    expect(set.client('a')).toBe(set.client('a'));
    expect(() => set.client('nobody')).toThrow('Unknown source nobody');
  });
});

describe('recording', () => {
  test('stores one body per endpoint, the newest, named by the common part of the calls', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'meridian-record-'));
    const set = openSet({ RECORD_DIR: folder }, source('a'));
    await set.client('a').get('/blocks/812345', any, { query: { limit: 1 } });
    await set.client('a').get('/blocks/812346', any, { query: { limit: 2 } });
    await set.client('a').get('/tip', any);
    expect(readdirSync(join(folder, 'a')).toSorted()).toEqual(['blocks-_-limit.json', 'tip.json']);
    expect(JSON.parse(readFileSync(join(folder, 'a', 'tip.json'), 'utf8'))).toEqual({ ok: true });
    rmSync(folder, { recursive: true });
  });

  test.each([
    ['/blocks/812345?b=1&a=2', '/blocks/_?a&b'],
    [`/rawblock/${'0'.repeat(64)}`, '/rawblock/_'],
    ['/api/v3/coins', '/api/v3/coins'],
  ])('%s is the endpoint %s', (path, endpoint) => {
    expect(normalizeEndpoint(path)).toBe(endpoint);
  });
});
