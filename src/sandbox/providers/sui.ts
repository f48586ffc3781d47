import { createHash } from 'node:crypto';

import { suiCheckpointsOf } from '#sandbox/market/activity.ts';
import type { Market } from '#sandbox/market/market.ts';
import { DAY, floorTo, MARKET_START } from '#sandbox/market/time.ts';
import type { Provider } from '#sandbox/provider.ts';

import { RpcError, rpcProvider } from './json-rpc.ts';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const SHOWN = 50;

/** As long and in the letters of a real one. */
function digest(text: string): string {
  const bytes = createHash('sha512').update(text).digest().subarray(0, 44);
  return [...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

const epochAt = (ms: number) => Math.floor((ms - MARKET_START) / DAY);

function checkpoint(market: Market, number: number) {
  const checkpoints = suiCheckpointsOf(market);
  const at = checkpoints.timeOf(number);
  const total = checkpoints.totalAt(number);
  const count = total - checkpoints.totalAt(number - 1);
  return {
    epoch: String(epochAt(at)),
    sequenceNumber: String(number),
    digest: digest(`${market.seed} ${number}`),
    networkTotalTransactions: String(total),
    previousDigest: digest(`${market.seed} ${number - 1}`),
    epochRollingGasCostSummary: {
      computationCost: '612034000000',
      storageCost: '3102983240800',
      storageRebate: '2861290302528',
      nonRefundableStorageFee: '28901922248',
    },
    timestampMs: String(at),
    transactions: Array.from({ length: Math.min(count, SHOWN) }, (_, i) => digest(`${number} ${i}`)),
    checkpointCommitments: [],
    validatorSignature: 'r8/5+Qm7niIlndcnvjSJ/vZLPrH3xY/ePGYTvrVbTascoQSpS+wsGlC+bQBpzIwA',
  };
}

function systemState(now: number) {
  const epochStart = floorTo(now, DAY);
  return {
    epoch: String(epochAt(now)),
    protocolVersion: '104',
    systemStateVersion: '2',
    storageFundTotalObjectStorageRebates: '1602031832048900',
    storageFundNonRefundableBalance: '60210382045000',
    referenceGasPrice: '511',
    safeMode: false,
    safeModeStorageRewards: '0',
    safeModeComputationRewards: '0',
    safeModeStorageRebates: '0',
    safeModeNonRefundableStorageFee: '0',
    epochStartTimestampMs: String(epochStart),
    epochDurationMs: String(DAY),
    stakeSubsidyStartEpoch: '20',
    maxValidatorCount: '150',
    minValidatorJoiningStake: '30000000000000000',
    totalStake: '7402018301928374655',
    stakeSubsidyBalance: '412038475610293847',
    stakeSubsidyDistributionCounter: '980',
    stakeSubsidyCurrentDistributionAmount: '348678440100000',
    stakeSubsidyPeriodLength: '90',
    stakeSubsidyDecreaseRate: 1000,
    activeValidators: [],
    pendingActiveValidatorsSize: '0',
    pendingRemovals: [],
    validatorCandidatesSize: '0',
    atRiskValidators: [],
    validatorReportRecords: [],
  };
}

export function sui(market: Market): Provider {
  const checkpoints = suiCheckpointsOf(market);
  return rpcProvider('sui', 'SUI', {
    sui_getLatestCheckpointSequenceNumber: (_params, now) => String(checkpoints.latestAt(now)),
    sui_getTotalTransactionBlocks: (_params, now) => String(checkpoints.totalAt(checkpoints.latestAt(now))),
    sui_getCheckpoint: ([id], now) => {
      const number = Number(id);
      if (!(number > 0) || number > checkpoints.latestAt(now)) {
        throw new RpcError(-32_602, `Verified checkpoint not found for sequence number ${String(id)}`);
      }
      return checkpoint(market, number);
    },
    suix_getLatestSuiSystemState: (_params, now) => systemState(now),
  });
}
