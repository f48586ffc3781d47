import { DECLINED, type FoundWallet, type Order, type Step, WalletError } from './wallet.ts';

/** The part of EIP-1193 used here. */
type Provider = { request: (call: { method: string; params?: readonly unknown[] }) => Promise<unknown> };
/** The EIP-6963 announcement. */
type Announcement = { info: { uuid: string; name: string; rdns: string }; provider: Provider };

const CHAIN_ID = '0x2105';
const CHAIN = {
  chainId: CHAIN_ID,
  chainName: 'Base',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: ['https://mainnet.base.org'],
  blockExplorerUrls: ['https://basescan.org'],
};
const ANNOUNCE_MS = 300;
const CODES = { declined: 4001, unauthorized: 4100, pending: -32_002, unknownChain: 4902 } as const;

const TRANSFER = 'a9059cbb';
const word = (hex: string): string => hex.padStart(64, '0');

/** Call of `transfer(address,uint256)`. */
export const transferData = (to: string, units: bigint): `0x${string}` =>
  `0x${TRANSFER}${word(to.slice(2).toLowerCase())}${word(units.toString(16))}`;

/** Wallets that announce themselves (EIP-6963); they do so immediately on request. */
export async function findBaseWallets(): Promise<FoundWallet[]> {
  const found = new Map<string, FoundWallet>();
  const onAnnounce = (event: Event) => {
    const { info, provider } = (event as CustomEvent<Announcement>).detail;
    found.set(info.uuid, {
      id: info.uuid,
      name: info.name,
      pay: (order, onStep) => pay(provider, order, onStep),
    });
  };
  addEventListener('eip6963:announceProvider', onAnnounce);
  dispatchEvent(new Event('eip6963:requestProvider'));
  await new Promise((resolve) => {
    setTimeout(resolve, ANNOUNCE_MS);
  });
  removeEventListener('eip6963:announceProvider', onAnnounce);
  return [...found.values()].toSorted((a, b) => a.name.localeCompare(b.name));
}

async function pay(provider: Provider, order: Order, onStep: (step: Step) => void): Promise<string> {
  try {
    onStep('connect');
    const [from] = (await provider.request({ method: 'eth_requestAccounts' })) as string[];
    if (!from) throw new WalletError('The wallet returned no account.');
    await toBase(provider, onStep);
    onStep('confirm');
    // With the chain ID given, a wallet that has since left Base refuses.
    const call = { from, to: order.token, value: '0x0', data: transferData(order.to, order.units), chainId: CHAIN_ID };
    return (await provider.request({ method: 'eth_sendTransaction', params: [call] })) as string;
  } catch (error) {
    throw toWalletError(error);
  }
}

async function toBase(provider: Provider, onStep: (step: Step) => void): Promise<void> {
  if (await isOnBase(provider)) return;
  onStep('network');
  const request = { method: 'wallet_switchEthereumChain', params: [{ chainId: CHAIN_ID }] };
  try {
    await provider.request(request);
  } catch (error) {
    if (errorCode(error) !== CODES.unknownChain) throw error;
    await provider.request({ method: 'wallet_addEthereumChain', params: [CHAIN] });
    if (!(await isOnBase(provider))) await provider.request(request);
  }
  if (!(await isOnBase(provider)))
    throw new WalletError('Your wallet is on another network. Switch it to Base and try again. Nothing was sent.');
}

const isOnBase = async (provider: Provider): Promise<boolean> =>
  Number(await provider.request({ method: 'eth_chainId' })) === Number(CHAIN_ID);

/** Some wallets nest the error code of their node. */
function errorCode(error: unknown): number | undefined {
  const { code, data } = (error ?? {}) as { code?: number; data?: { originalError?: { code?: number } } };
  return data?.originalError?.code ?? code;
}

function toWalletError(error: unknown): WalletError {
  if (error instanceof WalletError) return error;
  const code = errorCode(error);
  if (code === CODES.declined || code === CODES.unauthorized) return new WalletError(DECLINED);
  if (code === CODES.pending) return new WalletError('Your wallet has a pending request. Open it and respond there.');
  const { message } = (error ?? {}) as { message?: unknown };
  return new WalletError(
    typeof message === 'string' && message ? `Wallet error: ${message.slice(0, 200)}` : 'The wallet did not respond.',
  );
}
