import { createHash, pbkdf2Sync } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { type Address, concat, getContractAddress, type Hex, keccak256, parseEther, toHex } from 'viem';
import { HDKey, mnemonicToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { MNEMONIC, NO_ANVIL } from '#tests/support/anvil.ts';
import { startAnvilChain } from '#tests/support/base-chains.ts';
import { compilerVersion, compileSolidity, SOLIDITY_SETTINGS } from '#tests/support/solidity.ts';
import { createWatcher, openTestBase, TREASURY } from '#tests/support/watching.ts';
import artifact from './base/contract/Deposit.json' with { type: 'json' };
import { CREATE2_PROXY, depositCode, depositSalt } from './base/transfers.ts';

const PRICE = 29_990_000n;
const ACCOUNT = "m/44'/60'/0'/0";

describe('the deposit contract', () => {
  test('matches its source', () => {
    const source = readFileSync(new URL('base/contract/Deposit.sol', import.meta.url), 'utf8');
    expect(artifact).toEqual({
      contract: 'Deposit',
      sourceSha256: createHash('sha256').update(source).digest('hex'),
      compiler: compilerVersion(),
      settings: SOLIDITY_SETTINGS,
      ...compileSolidity(source)['Deposit'],
    });
  });

  test('has an address derived only from payment and treasury', async () => {
    const rail = openTestBase({});
    const [one, again, two] = [
      await rail.routeOf({ id: 'pay_one', number: 1 }),
      await rail.routeOf({ id: 'pay_one', number: 7 }),
      await rail.routeOf({ id: 'pay_two', number: 1 }),
    ];
    const bytecode = concat([artifact.bytecode as Hex, `0x${'0'.repeat(24)}`, TREASURY as Hex]);
    const from = CREATE2_PROXY as Address;
    const expected = getContractAddress({ opcode: 'CREATE2', from, salt: keccak256(toHex('pay_one')), bytecode });
    expect(one).toEqual({ address: expected, route: expected, reference: null });
    expect(again).toEqual(one);
    expect(two.address).not.toBe(one.address);
  });
});

test('with an extended public key, addresses are those of its wallet', async () => {
  const seed = pbkdf2Sync(MNEMONIC, 'mnemonic', 2048, 64, 'sha512');
  const xpub = HDKey.fromMasterSeed(seed).derive(ACCOUNT).publicExtendedKey;
  expect(HDKey.fromExtendedKey(xpub).privateKey).toBeNull();
  const rail = openTestBase({ PAY_BASE_XPUB: xpub });
  for (let number = 1; number <= 50; number++) {
    const { address } = mnemonicToAccount(MNEMONIC, { addressIndex: number });
    expect(await rail.routeOf({ id: `pay_${number}`, number })).toEqual({ address, route: address, reference: null });
  }
});

describe.skipIf(NO_ANVIL)('on a real chain node', () => {
  let world: Awaited<ReturnType<typeof startAnvilChain>>;
  beforeAll(async () => {
    world = await startAnvilChain();
  });
  afterAll(() => world?.close());

  /** A payment, and a sweep by a stranger. */
  async function payment(id: string) {
    const { anvil } = world;
    const rail = openTestBase({
      PAY_BASE_RPC_URLS: world.url,
      PAY_BASE_USDC: world.usdc,
      PAY_BASE_TREASURY: anvil.treasury,
    });
    const { route } = await rail.routeOf({ id, number: 1 });
    const to = route as Address;
    return {
      route: to,
      rail,
      deploy: () =>
        anvil.done(
          anvil.stranger.sendTransaction({
            to: CREATE2_PROXY,
            data: `0x${Buffer.concat([depositSalt(id), depositCode(anvil.treasury)]).toString('hex')}`,
          }),
        ),
      sweep: (token: string) =>
        anvil.done(
          anvil.stranger.writeContract({ address: to, abi: artifact.abi, functionName: 'sweep', args: [token] }),
        ),
    };
  }
  const held = async (token: string, who: string): Promise<bigint> => {
    const data = concat(['0x70a08231', `0x${'0'.repeat(24)}`, who as Hex]);
    return BigInt((await world.anvil.test.call({ to: token as Address, data })).data ?? 0);
  };

  test('a stranger sweeps payments to the treasury, repeatedly', async () => {
    const { anvil, usdc } = world;
    const { route, deploy, sweep } = await payment('swept');
    expect(await anvil.test.getCode({ address: route })).toBeUndefined();
    const before = await held(usdc, anvil.treasury);
    await world.pay(route, PRICE);
    await deploy();
    await sweep(usdc);
    expect((await held(usdc, anvil.treasury)) - before).toBe(PRICE);
    await world.pay(route, 1_000_000n);
    await sweep(usdc);
    expect((await held(usdc, anvil.treasury)) - before).toBe(PRICE + 1_000_000n);
    expect(await held(usdc, anvil.stranger.account.address)).toBe(0n);
    expect(await held(usdc, route)).toBe(0n);
  });

  test('a second contract cannot be deployed in its place', async () => {
    const { deploy } = await payment('once');
    await deploy();
    await expect(deploy()).rejects.toThrow();
  });

  test('stray ETH, sent before and after deployment, goes to the treasury', async () => {
    const { anvil } = world;
    const { route, deploy } = await payment('stray');
    const give = () => anvil.done(anvil.payer.sendTransaction({ to: route, value: parseEther('0.01') }));
    await give();
    await deploy();
    await give();
    const before = await anvil.test.getBalance({ address: anvil.treasury });
    await anvil.done(
      anvil.stranger.writeContract({ address: route, abi: artifact.abi, functionName: 'sweepNative', args: [] }),
    );
    expect((await anvil.test.getBalance({ address: anvil.treasury })) - before).toBe(parseEther('0.02'));
  });

  test('tokens that return nothing are swept, rejected ones and non-tokens are not', async () => {
    const { route, deploy, sweep } = await payment('tokens');
    await deploy();
    const [silent, refusing] = [await world.deploy('SilentToken'), await world.deploy('RefusingToken')];
    await world.write(silent, 'SilentToken', 'mint', [route, 5n]);
    await world.write(refusing, 'RefusingToken', 'mint', [route, 5n]);
    await sweep(silent);
    expect(await held(silent, world.anvil.treasury)).toBe(5n);
    await expect(sweep(refusing)).rejects.toThrow('NotMoved');
    await expect(sweep(world.payer)).rejects.toThrow('NotMoved');
  });

  test('an NFT and a zero-value log are not money', async () => {
    const { route, rail } = await payment('nft');
    const { scan } = createWatcher(rail, [route]);
    await scan();
    const nft = await world.deploy('TestNft');
    await world.write(nft, 'TestNft', 'give', [route, 5n]);
    await world.pay(route, PRICE);
    expect((await scan()).transfers).toMatchObject([{ token: world.usdc, units: PRICE }]);
  });

  test('the same transaction in another block, after another one, is the same transfer', async () => {
    const { anvil, usdc } = world;
    const { route, rail } = await payment('again');
    const { scan } = createWatcher(rail, [route]);
    await scan();
    const data = concat(['0xa9059cbb', `0x${'0'.repeat(24)}`, route, toHex(PRICE, { size: 32 })]);
    const request = await anvil.payer.prepareTransactionRequest({ to: usdc as Address, data });
    const raw = await anvil.payer.signTransaction(request);
    const undo = await world.snapshot();
    const { transactionHash: tx } = await anvil.done(anvil.payer.sendRawTransaction({ serializedTransaction: raw }));
    const [first] = (await scan()).transfers;
    await undo();
    await anvil.test.setAutomine(false);
    // It pays a higher fee, so that it is included first.
    await anvil.stranger.writeContract({
      address: usdc as Address,
      abi:
        compileSolidity(
          readFileSync(new URL('../../../../../tests/fixtures/contracts/TestUsdc.sol', import.meta.url), 'utf8'),
        )['TestUsdc']?.abi ?? [],
      functionName: 'mint',
      args: [anvil.stranger.account.address, 1n],
      maxPriorityFeePerGas: parseEther('0.00001'),
      maxFeePerGas: parseEther('0.0001'),
    });
    await anvil.payer.sendRawTransaction({ serializedTransaction: raw });
    await world.mineBlocks(1);
    await anvil.test.setAutomine(true);
    const after = await scan();
    expect(after.lost).toEqual([]);
    expect(after.transfers).toMatchObject([{ tx, idx: 0, route, units: PRICE }]);
    expect(after.transfers[0]?.blockHash).not.toBe(first?.blockHash);
    const receipt = await anvil.test.getTransactionReceipt({ hash: tx });
    expect(receipt.logs[0]?.logIndex).toBe(1);
  });
});
