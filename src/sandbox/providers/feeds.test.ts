import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';

import { type Liquidation, liquidationsOf } from '#sandbox/market/liquidations.ts';
import { HOUR } from '#sandbox/market/time.ts';
import { fileSandbox } from '#tests/support/for-file.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 3, 27);

const sandbox = fileSandbox(NOW);
const sockets: WebSocket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
  sandbox.faults.clear();
  sandbox.clock.set(NOW);
});

type Message = Record<string, unknown>;

class Line {
  readonly messages: Message[] = [];
  readonly #socket: WebSocket;
  #woken: () => void = () => undefined;

  constructor(name: string, path = '') {
    this.#socket = new WebSocket(`${sandbox.urls[name]}${path}`);
    sockets.push(this.#socket);
    this.#socket.on('message', (data: Buffer) => {
      this.messages.push(JSON.parse(data.toString()) as Message);
      this.#woken();
    });
  }

  get open(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.once('error', reject);
      this.#socket.once('open', () => resolve());
    });
  }

  say(message: unknown): void {
    this.#socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  async until(done: (messages: Message[]) => boolean): Promise<Message[]> {
    while (!done(this.messages)) {
      await new Promise<void>((resolve) => {
        this.#woken = resolve;
      });
    }
    return this.messages;
  }
}

const resultOf = (message: Message | undefined): unknown => message?.['result'] ?? {};

/** Liquidations of bitcoin in the hour by which the clock is moved. */
const happened = (venue: 'okx' | 'bybit' | 'binance'): Liquidation[] =>
  liquidationsOf(sandbox.market).between(venue, sandbox.market.get('bitcoin'), NOW, NOW + HOUR);

describe('the liquidations of OKX', () => {
  const CHANNEL = { channel: 'liquidation-orders', instType: 'SWAP' };
  type Row = { instId: string; details: { sz: string; posSide: string; side: string; ts: string }[] };

  test('are confirmed and told as they happen, in contracts', async () => {
    const line = new Line('OKX_WS_URL', '/public');
    await line.open;
    line.say({ op: 'subscribe', args: [CHANNEL] });
    await line.until((messages) => messages.length > 0);
    expect(line.messages[0]).toMatchObject({ event: 'subscribe', arg: CHANNEL });
    sandbox.clock.advance(HOUR);
    const ofBitcoin = (messages: Message[]) =>
      messages.filter(({ data }) => (data as Row[] | undefined)?.[0]?.instId === 'BTC-USDT-SWAP');
    await line.until((messages) => ofBitcoin(messages).length > 0);
    const [row] = (ofBitcoin(line.messages)[0]?.['data'] ?? []) as Row[];
    const events = happened('okx');
    expect(row?.details.map(({ ts, posSide }) => [Number(ts), posSide])).toEqual(
      events.map(({ at, side }) => [at, side]),
    );
    const [first] = events;
    expect(Number(row?.details[0]?.sz) * 0.01 * (first?.price ?? 0)).toBeCloseTo(first?.usd ?? 0, -3);
    line.say({ op: 'unsubscribe', args: [CHANNEL] });
    await line.until((messages) => messages.some(({ event }) => event === 'unsubscribe'));
    const count = line.messages.length;
    sandbox.clock.advance(HOUR);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(line.messages).toHaveLength(count);
  });
});

test.each(['', '/v5/public/linear'])('Bybit tells all of them at its address%s', { timeout: 5000 }, async (path) => {
  const line = new Line('BYBIT_WS_URL', path);
  await line.open;
  line.say({ op: 'subscribe', args: ['allLiquidation.BTCUSDT'], req_id: 'a' });
  line.say({ op: 'ping' });
  line.say({ op: 'subscribe', args: ['allLiquidation.NOUSDT'] });
  await line.until((messages) => messages.length === 3);
  expect(line.messages).toMatchObject([
    { success: true, op: 'subscribe', req_id: 'a' },
    { ret_msg: 'pong' },
    { success: false },
  ]);
  sandbox.clock.advance(HOUR);
  await line.until((messages) => messages.length > 3);
  expect(line.messages[3]).toMatchObject({ topic: 'allLiquidation.BTCUSDT', type: 'snapshot', ts: NOW + HOUR });
  const data = line.messages[3]?.['data'] as { T: number; S: string; v: string; p: string }[];
  expect(data.map(({ T, S }) => [T, S])).toEqual(
    happened('bybit').map(({ at, side }) => [at, side === 'long' ? 'Buy' : 'Sell']),
  );
});

describe('Binance', () => {
  const largest = () => happened('binance').reduce((best, event) => (event.usd > best.usd ? event : best));
  const isBitcoin = (message: Message) => (message['o'] as { s: string } | undefined)?.s === 'BTCUSDT';

  test('tells the largest of each symbol at /ws/!forceOrder@arr', async () => {
    const line = new Line('BINANCE_FUTURES_WS_URL', '/ws/!forceOrder@arr');
    await line.open;
    sandbox.clock.advance(1);
    sandbox.clock.advance(HOUR - 1);
    await line.until((messages) => messages.some(isBitcoin));
    const { at, side } = largest();
    expect(line.messages.find(isBitcoin)).toMatchObject({
      e: 'forceOrder',
      o: { S: side === 'long' ? 'SELL' : 'BUY', X: 'FILLED', T: at, q: expect.stringMatching(/^\d/) },
    });
    expect(line.messages.filter(isBitcoin)).toHaveLength(1);
  });
});

describe('XRPL', () => {
  type Ledger = { ledger_index: string; close_time: number; transactions: { Account: string }[] };

  test('gives the validated ledger with its transactions, and how the server is', async () => {
    const line = new Line('XRPL_WS_URL');
    await line.open;
    line.say({ id: 1, command: 'ledger', ledger_index: 'validated', transactions: true, expand: true });
    line.say({ id: 2, command: 'server_info' });
    line.say({ id: 3, command: 'nothing' });
    line.say({ id: 4, command: 'ledger', ledger_index: 1e9 });
    line.say({ id: 5, command: 'ledger', ledger_index: 'validated', transactions: true });
    await line.until((messages) => messages.length === 5);
    const [first, info, unknown, missing, plain] = line.messages;
    const { ledger, validated } = resultOf(first) as { ledger: Ledger; validated: boolean };
    expect([first?.['id'], first?.['status'], validated]).toEqual([1, 'success', true]);
    expect(NOW / 1000 - 946_684_800 - ledger.close_time).toBeLessThan(5);
    expect(ledger.transactions.length).toBeGreaterThan(10);
    expect(ledger.transactions.every(({ Account }) => /^r\w{24,34}$/.test(Account))).toBe(true);
    expect(info?.['result']).toMatchObject({
      info: { server_state: 'full', validated_ledger: { seq: Number(ledger.ledger_index) } },
    });
    expect([unknown?.['error'], missing?.['error']]).toEqual(['unknownCmd', 'lgrNotFound']);
    const hashes = (resultOf(plain) as { ledger: { transactions: string[] } }).ledger.transactions;
    expect(hashes).toHaveLength(ledger.transactions.length);
    expect(hashes[0]).toMatch(/^[0-9A-F]{64}$/);
  });
});

test.each([
  ['bybit', 'BYBIT_WS_URL', { op: 'ping' }],
  ['binance-futures', 'BINANCE_FUTURES_WS_URL', { method: 'SUBSCRIBE', params: [], id: 1 }],
  ['xrpl', 'XRPL_WS_URL', { id: 1, command: 'ping' }],
])('%s can be silent and drop', async (provider, name, hello) => {
  const line = new Line(name);
  await line.open;
  sandbox.faults.set({ provider, kind: 'silent' });
  line.say(hello);
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(line.messages).toEqual([]);
  sandbox.faults.set({ provider, kind: 'drop' });
  expect(sandbox.connections(provider)).toBeLessThan(2);
  await expect(new Line(name).open).rejects.toThrow('503');
});
