import { TRACKED } from '#features/market/contract/market.ts';

/**
 * CoinGecko's id and the icon's name. Several coins share a symbol, and the package files some icons under another
 * coin's id: each pair was compared by eye with the coin's own logo. Coins not listed keep their letters.
 */
const ICONS = `
bitcoin:btc ethereum:eth solana:sol sui:sui ripple:xrp
tether:usdt binancecoin:bnb usd-coin:usdc dogecoin:doge tron:trx cardano:ada hyperliquid:hyper-evm chainlink:link
bitcoin-cash:bch stellar:xlm avalanche-2:avax hedera-hashgraph:hbar leo-token:leo litecoin:ltc the-open-network:ton
shiba-inu:shib ethena-usde:usde wrapped-bitcoin:wbtc wrapped-beacon-eth:wbeth crypto-com-chain:cro polkadot:dot
uniswap:uni monero:xmr aave:aave dai:dai bitget-token:bitget pepe:pepe mantle:mnt ethereum-classic:etc near:near
polygon-ecosystem-token:pol aptos:aptos arbitrum:arbitrum-one internet-computer:icp cosmos:atom gatechain-token:gt
vechain:vet kaspa:kas algorand:algo fasttoken:ftn kucoin-shares:kcs render-token:rndr sei-network:sei filecoin:fil
fetch-ai:fet flare-networks:flr jupiter-exchange-solana:jup quant-network:qnt xdce-crowd-sale:xdc tether-gold:xaut
nexo:nexo injective-protocol:inj optimism:op celestia:tia paypal-usd:pyusd first-digital-usd:fdusd blockstack:stacks
curve-dao-token:crv spx6900:spx pax-gold:paxg lido-dao:ldo immutable-x:imx sonic-3:sonic msol:msol the-graph:grt
pyth-network:pyth conflux-token:cfx raydium:ray kaia:kaia pancakeswap-token:cake pendle:pendle theta-token:theta
tezos:xtz vaulta:a ethereum-name-service:ens gala:gala the-sandbox:sand zcash:zec jasmycoin:jasmy
stader-ethx:ethx tbtc:tbtc flow:flow decentraland:mana coinbase-wrapped-staked-eth:cbeth sweth:sweth beldex:bdx
bitcoin-cash-sv:bsv starknet:starknet true-usd:tusd telcoin:tel usdd:usdd dydx-chain:dydx neo:neo
reserve-rights-token:rsr instadapp:inst helium:hnt arweave:ar worldcoin-wld:world thorchain:rune
elrond-erd-2:egld axie-infinity:axs chiliz:chz mina-protocol:mina ecash:xec axelar:axl akash-network:akt kava:kava
gnosis:gno oasis-network:rose blur:blur osmosis:osmo aioz-network:aioz terra-luna:lunc dexe:dexe nervos-network:ckb
wemix-token:wemix radix:xrd enjincoin:enj zilliqa:zil celo:celo frax:frax polymesh:polyx
ravencoin:rvn skale:skl holotoken:hot golem:glm rocket-pool:rpl dash:dash ordinals:ordi berachain-bera:berachain
zksync:zksync linea:linea plume:plume movement:movement zetachain:zeta-chain ronin:ronin scroll:scroll gho:gho safe:safe
compound-governance-token:comp maker:mkr yearn-finance:yfi havven:snx loopring:lrc basic-attention-token:bat 0x:zrx
gmx:gmx livepeer:lpt origintrail:trac trust-wallet-token:twt just:jst qtum:qtum decred:dcr ontology:ont kusama:ksm siacoin:sc digibyte:dgb
`;

export type IconSet = { icons: Record<string, { body: string } | undefined> };

const SYMBOLS = new Map<string, string>(TRACKED.map(({ id, symbol }) => [id, symbol]));

/** At the size of a row, two decimals look the same as three. */
const shortened = (body: string): string => body.replaceAll(/(\.\d\d)\d+/g, '$1');

function address(body: string): string {
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'>${shortened(body).replaceAll('"', "'")}</svg>`;
  return `data:image/svg+xml,${svg.replaceAll(/[%#<>]/g, encodeURIComponent)}`;
}

/** Style rules that show the logo instead of the letters of a CoinMark; `tracked` belongs to the first view. */
export function coinLogos({ icons }: IconSet): { tracked: string; all: string } {
  const rules = ICONS.trim()
    .split(/\s+/)
    .map((pair) => {
      const [id = '', icon = ''] = pair.split(':');
      const body = icons[`${icon}-background`]?.body;
      if (body === undefined) throw new Error(`There is no icon ${icon}`);
      const symbol = SYMBOLS.get(id);
      const marks = [id, ...(symbol ? [symbol] : [])].map((name) => `.coin-${name}`).join();
      return { isTracked: symbol !== undefined, text: `${marks}{background:url("${address(body)}");font-size:0}` };
    });
  const sheet = (list: typeof rules) => list.map(({ text }) => text).join('\n');
  return { tracked: sheet(rules.filter(({ isTracked }) => isTracked)), all: sheet(rules) };
}
