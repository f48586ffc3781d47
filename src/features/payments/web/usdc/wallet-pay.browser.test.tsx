import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test } from 'vitest';

import { paymentOf } from './fixtures.ts';
import { WalletPay } from './wallet-pay.tsx';
import { transferData } from './wallets/base.ts';

type Answer = (params: readonly unknown[]) => unknown;
const ACCOUNT = '0x8ba1f109551bD432803012645Ac136ddd64DBA72';
const TX = `0x${'ab'.repeat(32)}`;
const refused = (code: number, message = 'no') => Object.assign(new Error(message), { code });
const throws = (error: Error) => () => {
  throw error;
};

const leave: (() => void)[] = [];
afterEach(() => {
  cleanup();
  for (const each of leave.splice(0)) each();
});

/** A wallet that announces itself as in EIP-6963, initially on Ethereum; `answers` overrides its responses. */
function install(name: string, answers: Record<string, Answer> = {}) {
  const asked: { method: string; params?: readonly unknown[] }[] = [];
  let chain = '0x1';
  const usual: Record<string, Answer> = {
    eth_requestAccounts: () => [ACCOUNT],
    eth_chainId: () => chain,
    wallet_switchEthereumChain: ([to]) => {
      chain = (to as { chainId: string }).chainId;
      return null;
    },
    wallet_addEthereumChain: ([added]) => {
      chain = (added as { chainId: string }).chainId;
      return null;
    },
    eth_sendTransaction: () => TX,
  };
  const provider = {
    async request(call: { method: string; params?: readonly unknown[] }): Promise<unknown> {
      asked.push(call);
      return (answers[call.method] ?? usual[call.method])?.(call.params ?? []);
    },
  };
  const detail = Object.freeze({ info: { uuid: name, name, rdns: 'example.wallet', icon: '' }, provider });
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  addEventListener('eip6963:requestProvider', announce);
  leave.push(() => removeEventListener('eip6963:requestProvider', announce));
  return { asked, methods: () => asked.map(({ method }) => method) };
}

async function open(amount = '29.99') {
  const view = (left: string) => (
    <QueryClientProvider client={new QueryClient()}>
      <WalletPay payment={paymentOf()} amount={left} />
    </QueryClientProvider>
  );
  const { rerender } = render(view(amount));
  await press(/Pay from a Wallet in This Browser/);
  return { remain: (left: string) => rerender(view(left)) };
}
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const told = async () => (await screen.findByRole('alert')).textContent;

describe('a browser wallet', () => {
  test('is connected, switched to Base and requested to send exactly the amount, only once', async () => {
    const { asked, methods } = install('Fox');
    const { remain } = await open();
    await press('Pay with Fox');
    expect(await screen.findByText(/^Your wallet has sent 29.99 USDC/)).toBeDefined();
    expect(methods()).toEqual([
      'eth_requestAccounts',
      'eth_chainId',
      'wallet_switchEthereumChain',
      'eth_chainId',
      'eth_sendTransaction',
    ]);
    expect(asked[2]?.params).toEqual([{ chainId: '0x2105' }]);
    const { address, token } = paymentOf();
    expect(asked[4]?.params).toEqual([
      { from: ACCOUNT, to: token, value: '0x0', data: transferData(address, 29_990_000n), chainId: '0x2105' },
    ]);
    expect(screen.queryByRole('button')).toBeNull();
    remain('19.99');
    expect(await screen.findByRole('button', { name: 'Pay with Fox' })).toBeDefined();
  });

  test('that does not know Base gets it added', async () => {
    const { asked, methods } = install('Fox', { wallet_switchEthereumChain: throws(refused(4902)) });
    await open();
    await press('Pay with Fox');
    expect(await screen.findByText(/^Your wallet has sent/)).toBeDefined();
    expect(methods()).toContain('wallet_addEthereumChain');
    const [added] = asked.find(({ method }) => method === 'wallet_addEthereumChain')?.params ?? [];
    expect(added).toMatchObject({ chainId: '0x2105', chainName: 'Base', nativeCurrency: { decimals: 18 } });
  });

  test.each([
    ['connecting', 'eth_requestAccounts'],
    ['the network', 'wallet_switchEthereumChain'],
    ['sending', 'eth_sendTransaction'],
  ])('that declines %s: nothing was sent, and it can be retried', async (_, method) => {
    const { methods } = install('Fox', { [method]: throws(refused(4001)) });
    await open();
    await press('Pay with Fox');
    expect(await told()).toBe('You declined the request in your wallet. Nothing was sent.');
    expect(methods().at(-1)).toBe(method);
    expect(screen.getByRole('button', { name: 'Pay with Fox' }).getAttribute('aria-disabled')).toBe('false');
  });

  test('that stays on another network sends nothing', async () => {
    const { methods } = install('Fox', { wallet_switchEthereumChain: () => null });
    await open();
    await press('Pay with Fox');
    expect(await told()).toContain('Your wallet is on another network. Switch it to Base and try again.');
    expect(methods()).not.toContain('eth_sendTransaction');
  });

  test('that is pending, has no account or fails is reported', async () => {
    const answers: Record<string, Answer> = { eth_requestAccounts: throws(refused(-32_002)) };
    install('Fox', answers);
    await open();
    await press('Pay with Fox');
    expect(await told()).toContain('Your wallet has a pending request.');
    answers['eth_requestAccounts'] = () => [];
    await press('Pay with Fox');
    await expect.poll(told).toContain('The wallet returned no account.');
    answers['eth_requestAccounts'] = () => [ACCOUNT];
    answers['eth_sendTransaction'] = throws(refused(-32_603, 'insufficient funds'));
    await press('Pay with Fox');
    await expect.poll(told).toContain('Wallet error: insufficient funds');
  });

  test('of several the user chooses; without any it shows alternatives', async () => {
    install('Rabbit');
    install('Fox');
    await open();
    const names = (await screen.findAllByRole('button', { name: /^Pay with/ })).map(({ textContent }) => textContent);
    expect(names).toEqual(['Pay with Fox', 'Pay with Rabbit']);
    cleanup();
    for (const each of leave.splice(0)) each();
    await open();
    expect(await screen.findByText(/^No wallet was found in this browser/)).toBeDefined();
  });
});
