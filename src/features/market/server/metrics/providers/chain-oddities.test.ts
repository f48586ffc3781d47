import { describe, expect, test } from 'vitest';

import { SourceError } from '#kernel/http/source-error.ts';
import type { SourceDescriptor } from '#kernel/source-set.ts';
import { shared } from '#tests/support/for-file.ts';
import { AT, askAt, type Bodies, type Body, clientOf, startBodies } from '../fixtures/bodies.ts';
import type { MetricSource, Observation, StoredObservation } from '../types.ts';
import { blockchainInfo, whaleBlocks } from './blockchain-info.ts';
import { ethereumNetwork, ethereumRpc, solanaNetwork, solanaRpc } from './node-rpc.ts';
import { suiFallback, suiFallbackNetwork, suiGraphql, suiNetwork } from './sui-graphql.ts';
import { xrpLedger, xrpl } from './xrpl.ts';

const bodies = shared(startBodies);

function read(
  source: SourceDescriptor,
  adapter: MetricSource,
  reply: Parameters<Bodies['answer']>[0],
  stored: StoredObservation[] = [],
) {
  bodies.answer(reply);
  return adapter.read(clientOf(bodies, source), askAt(stored));
}
const always = (body: unknown) => (): Body => ({ body });
const valueOf = (rows: Observation[], metric: string) => rows.find((row) => row.metric === metric)?.value;

describe('chains', () => {
  test('Solana: an old node that counts votes gives nothing; newer samples among old ones are used', async () => {
    const old = { numSlots: 153, numTransactions: 225_012, samplePeriodSecs: 60, slot: 1 };
    expect(await read(solanaRpc, solanaNetwork, always({ jsonrpc: '2.0', id: 1, result: [old] }))).toEqual([]);
    const result = [old, { ...old, numNonVoteTransactions: 66_000 }, { ...old, numNonVoteTransactions: null }];
    expect(valueOf(await read(solanaRpc, solanaNetwork, always({ id: 1, result })), 'l1.solana.tps')).toBe(1100);
  });

  test('a node that reports too many requests is rate limited, under 200 and in a list', async () => {
    const error = { code: 429, message: 'Too many requests for a specific RPC call' };
    await expect(read(solanaRpc, solanaNetwork, always({ id: 1, error }))).rejects.toMatchObject({
      kind: 'rate_limited',
    });
    const row = { number: '0x20', timestamp: '0x1000', transactions: [] };
    const reply = ({ posted }: { posted: unknown }) => ({
      body: Array.isArray(posted) ? [{ id: 0, error }] : { id: 1, result: row },
    });
    await expect(read(ethereumRpc, ethereumNetwork, reply)).rejects.toMatchObject({ kind: 'rate_limited' });
  });

  test('Ethereum: blocks answered in any order; a node without a block gives nothing', async () => {
    const answer =
      (missing: boolean) =>
      ({ posted }: { posted: unknown }) => {
        if (Array.isArray(posted)) {
          const rows = posted.map(({ id }: { id: number }) => ({ id, result: missing && id === 3 ? null : '0x64' }));
          return { body: rows.toReversed() };
        }
        const [tag] = (posted as { params: [string] }).params;
        const number = tag === 'latest' ? 100 : Number(tag);
        const result = {
          number: `0x${number.toString(16)}`,
          timestamp: `0x${(1_790_000_000 + number * 12).toString(16)}`,
          transactions: Array.from({ length: 100 }, () => '0x'),
        };
        return { body: { id: 1, result } };
      };
    expect(valueOf(await read(ethereumRpc, ethereumNetwork, answer(false)), 'l1.ethereum.tps')).toBeCloseTo(
      100 / 12,
      9,
    );
    await expect(read(ethereumRpc, ethereumNetwork, answer(true))).rejects.toMatchObject({ kind: 'body' });
  });

  test('Sui: transactions between two checkpoints by GraphQL; a static count gives nothing', async () => {
    const answer =
      (growth: number) =>
      ({ posted }: { posted: unknown }) => {
        const { variables } = posted as { variables: { number: number | null } };
        const number = variables.number ?? 200_000_000;
        const checkpoint = {
          sequenceNumber: number,
          networkTotalTransactions: 4_000_000_000 + (number - 199_000_000) * growth,
          timestamp: new Date(AT.getTime() - (200_000_000 - number) * 250).toISOString(),
        };
        return { body: { data: { checkpoint } } };
      };
    expect(valueOf(await read(suiGraphql, suiNetwork, answer(15)), 'l1.sui.tps')).toBe(60);
    expect(valueOf(await read(suiFallback, suiFallbackNetwork, answer(15)), 'l1.sui.tps')).toBe(60);
    expect(await read(suiGraphql, suiNetwork, answer(0))).toEqual([]);
    const refused = always({ data: null, errors: [{ message: 'Request too large', extensions: { code: 'X' } }] });
    await expect(read(suiGraphql, suiNetwork, refused)).rejects.toThrow('refused: Request too large');
  });

  const ledgers =
    (withTransactions: boolean) =>
    ({ posted }: { posted: unknown }) => {
      const { id, ledger_index: wanted } = posted as { id: number; ledger_index: number | 'validated' };
      const index = wanted === 'validated' ? 99_000_000 : wanted;
      const close = 846_000_000 + Math.floor(((index - 99_000_000) * 3.9) / 10) * 10;
      const transactions = withTransactions ? { transactions: Array.from({ length: 78 }, () => 'A') } : {};
      const result = { ledger_index: index, ledger: { close_time: close, ...transactions } };
      return { body: { id, status: 'success', type: 'response', result } };
    };

  test('XRP Ledger: the rate is correct although close times are rounded to 10 s', async () => {
    const rate = valueOf(await read(xrpl, xrpLedger, ledgers(true)), 'l1.ripple.tps');
    expect(rate).toBeGreaterThan(19.6);
    expect(rate).toBeLessThan(20.4);
    expect(bodies.asked).toHaveLength(21);
  });

  test('XRP Ledger: ledgers without their transactions give nothing; a busy server is rate limited', async () => {
    await expect(read(xrpl, xrpLedger, ledgers(false))).rejects.toMatchObject({ kind: 'body' });
    const busy = { error: 'slowDown', error_message: 'You are placing too much load on the server.', status: 'error' };
    await expect(read(xrpl, xrpLedger, always({ id: 1, ...busy }))).rejects.toMatchObject({ kind: 'rate_limited' });
    await expect(read(xrpl, xrpLedger, always(busy))).rejects.toMatchObject({ kind: 'rate_limited' });
    await expect(read(xrpl, xrpLedger, () => undefined)).rejects.toMatchObject({ kind: 'network' });
  });
});

describe('large transfers', () => {
  const WALLET = '34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo';
  const OTHER_OF_BINANCE = '3M219KR5vEneNb47ewrPfWyb5jQ2DjxRP6';
  const coins = (addr: string | null, btc: number) => ({ ...(addr ? { addr } : {}), value: btc * 1e8 });
  const pay = (from: string | null, ...out: object[]) => ({
    inputs: [{ prev_out: from === null ? null : coins(from, 1e4) }],
    out,
  });
  const blockOf = (height: number, tx: object[] = [pay('a', coins('b', 1))]) => ({
    hash: `h${height}`,
    prev_block: `h${height - 1}`,
    height,
    time: AT.getTime() / 1000 - (900_000 - height) * 600,
    tx,
  });
  const chain =
    (tx?: object[], broken?: number) =>
    ({ path }: { path: string }): Body | undefined => {
      if (path === '/latestblock') return { body: { hash: 'h900000', height: 900_000 } };
      const height = Number(path.replace('/rawblock/h', ''));
      return height === broken ? undefined : { body: blockOf(height, tx) };
    };
  const asStored = (rows: Observation[]): StoredObservation[] =>
    rows.map(({ metric, value, observedAt, detail = null }) => ({
      metric,
      value,
      detail,
      source: 'blockchain-info',
      observed_at: observedAt.toISOString(),
      fetched_at: AT.toISOString(),
      method: 'measured',
    }));

  test('change, rewards and moves within one exchange are not misclassified', async () => {
    const tx = [
      pay(null, coins('miner', 500)),
      pay('a', coins('b', 10), coins('a', 900)),
      pay('a', coins('b', 9.99)),
      pay('a', coins(WALLET, 100)),
      pay(OTHER_OF_BINANCE, coins(WALLET, 100)),
      pay('a', coins(null, 20)),
      pay('a', { value: null }),
    ];
    const rows = await read(blockchainInfo, whaleBlocks, chain(tx));
    expect(rows).toHaveLength(18);
    const first = (name: string) => valueOf(rows, `venue.whales.${name}`);
    expect([first('count'), first('large'), first('deposits')]).toEqual([4, 2, 1]);
  });

  test('each block is read once: the next read continues below the known ones', async () => {
    const rows = await read(blockchainInfo, whaleBlocks, chain());
    const stored = asStored(rows.filter(({ metric }) => metric === 'venue.whales.count'));
    const more = await read(blockchainInfo, whaleBlocks, chain(), stored);
    const heights = (all: Observation[]) => [...new Set(all.map(({ detail }) => detail?.['height']))];
    expect(heights(rows)).toEqual([900_000, 899_999, 899_998, 899_997, 899_996, 899_995]);
    expect(heights(more)).toEqual([899_994, 899_993, 899_992, 899_991, 899_990, 899_989]);
    expect(bodies.asked).toHaveLength(7);
  });

  test('an unreadable block does not lose the blocks before it', async () => {
    const rows = await read(blockchainInfo, whaleBlocks, chain(undefined, 899_998));
    expect(rows).toHaveLength(6);
    await expect(read(blockchainInfo, whaleBlocks, chain(undefined, 900_000))).rejects.toBeInstanceOf(SourceError);
  });
});
