import { isLoopback } from '#server/platform/http/loopback.ts';
import { usdOf } from '#shared/money.ts';

import { type AddressFor, contractAddresses, walletAddresses } from './base/addresses.ts';
import { CHAIN_ID, createLook } from './base/look.ts';
import { openNode } from './base/node.ts';
import type { UsdcDeps } from './context.ts';
import type { Rail } from './rail.ts';

type Deps = Pick<UsdcDeps, 'config' | 'mode' | 'now'>;

function addressesOf({ PAY_BASE_TREASURY: treasury, PAY_BASE_XPUB: xpub }: Deps['config']): AddressFor | null {
  if (xpub) return walletAddresses(xpub);
  return treasury ? contractAddresses(treasury) : null;
}

/** USDC on Base: every payment has an address of its own. `maxBlocks`: how many a look reads at most. */
export function openBase({ config, mode, now }: Deps, limits: { maxBlocks?: number } = {}): Rail {
  const { PAY_BASE_RPC_URLS: urls, PAY_BASE_USDC: token } = config;
  const addressFor = addressesOf(config);
  const [preferred = ''] = urls;
  return {
    network: 'base',
    closed: addressFor ? null : 'USDC on Base is not taken here: no treasury is set (PAY_BASE_TREASURY)',
    token,
    async routeOf(payment) {
      if (!addressFor) throw new Error('PAY_BASE_TREASURY is not set');
      const address = await addressFor(payment);
      return { address, route: address, reference: null };
    },
    uniqueAmounts: false,
    uriOf: ({ address, units }) => `ethereum:${token}@${CHAIN_ID}/transfer?address=${address}&uint256=${units}`,
    linkOf: (tx) => (mode === 'demo' ? null : `https://basescan.org/tx/${tx}`),
    demoWalletOf:
      mode === 'demo' && isLoopback(preferred)
        ? ({ address, units, expiresAt }) => {
            const query = { to: address, amount: usdOf(units), expires: expiresAt.toISOString() };
            return `${new URL(preferred).origin}/wallet/base?${new URLSearchParams(query).toString()}`;
          }
        : null,
    ...createLook({ nodes: urls.map(openNode), token, now, ...limits }),
  };
}
