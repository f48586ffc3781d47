import type { AdvancedMetrics, DerivativeRow, OnchainRow, SentimentReading } from '#features/metrics/contract.ts';
import { hasOrigin } from '#shared/figures.ts';
import { FUTURES_ASSETS } from '../futures.ts';
import type { Snapshot } from '../snapshot.ts';
import { fearClass } from './advanced.ts';
import type { History } from './history.ts';

type Rows = { sentiment: SentimentReading; derivatives: DerivativeRow[]; onchain: OnchainRow[] };

/** The same figures as rows, one per venue or chain, as the calls for analysts give them. */
export function composeRows(snapshot: Snapshot, advanced: AdvancedMetrics, history: History): Rows {
  return {
    sentiment: sentimentOf(advanced, history),
    derivatives: FUTURES_ASSETS.flatMap((asset) => venuesOf(snapshot, asset)),
    onchain: onchainOf(advanced),
  };
}

function sentimentOf({ marketSentiment }: AdvancedMetrics, { fearGreed }: History): SentimentReading {
  const meta = marketSentiment.meta['score'] ?? { metric: 'fear_greed', reason: 'No source has given it yet' };
  return {
    value: marketSentiment.score,
    classification: marketSentiment.interpretation,
    source: hasOrigin(meta) ? meta.source : null,
    timestamp: hasOrigin(meta) ? meta.observedAt : null,
    metadata: {
      history: fearGreed.toReversed().map(({ day, value }) => ({ date: day, value, classification: fearClass(value) })),
    },
    meta: { value: meta },
  };
}

function venuesOf(snapshot: Snapshot, asset: string): DerivativeRow[] {
  const find = (kind: string, source: string) =>
    snapshot.all(`venue.${kind}.${asset}`).find((row) => row.source === source);
  const sources = new Set(
    ['oi', 'funding'].flatMap((kind) => snapshot.all(`venue.${kind}.${asset}`)).map((row) => row.source),
  );
  return [...sources].map((source) => {
    const parts = {
      open_interest: find('oi', source),
      funding_rate: find('funding', source),
      volume_24h: find('volume', source),
    };
    const key = { open_interest: 'oi', funding_rate: 'funding', volume_24h: 'volume' } as const;
    const names = Object.keys(parts) as (keyof typeof parts)[];
    return {
      asset: asset.toUpperCase(),
      derivative_type: 'perpetual',
      source: snapshot.nameOf(source),
      open_interest: parts.open_interest?.value ?? null,
      funding_rate: parts.funding_rate?.value ?? null,
      volume_24h: parts.volume_24h?.value ?? null,
      meta: Object.fromEntries(
        names.map((name) => {
          const row = parts[name];
          const metric = `${key[name]}.${asset}`;
          return [name, row ? snapshot.born(row, metric) : { metric, reason: 'This venue does not give it' }];
        }),
      ),
    };
  });
}

function onchainOf({ onchain }: AdvancedMetrics): OnchainRow[] {
  const row = (
    metric_type: string,
    value: number | null,
    meta: OnchainRow['meta']['value'] | undefined,
    metadata: OnchainRow['metadata'],
  ): OnchainRow[] =>
    meta
      ? [
          {
            blockchain: 'bitcoin',
            metric_type,
            value,
            source: hasOrigin(meta) ? meta.source : null,
            timestamp: hasOrigin(meta) ? meta.observedAt : null,
            metadata,
            meta: { value: meta },
          },
        ]
      : [];
  const { whaleTransactions: whales, hashRate, activeAddresses: addresses } = onchain;
  return [
    ...row('whale_transactions', whales.value, whales.meta['value'], {
      large_transfers: whales.metadata.large_transfers,
      exchange_deposits: whales.metadata.exchange_deposits,
    }),
    ...row('hash_rate', hashRate.value, hashRate.meta['value'], {
      difficulty: hashRate.metadata.difficulty,
      network_health: hashRate.metadata.network_health,
    }),
    ...row('active_addresses', addresses.value, addresses.meta['value'], {
      new_addresses: addresses.metadata.new_addresses,
      returning_addresses: addresses.metadata.returning_addresses,
    }),
  ];
}
