import type { Connection } from '#kernel/db.ts';
import { type Migrations, migrateWith } from '#kernel/migrate.ts';
import * as platform from './migrations/0001-platform.ts';
import * as market from './migrations/0002-market.ts';
import * as metrics from './migrations/0003-metrics.ts';
import * as accounts from './migrations/0004-accounts.ts';
import * as mail from './migrations/0005-mail.ts';
import * as predictions from './migrations/0006-predictions.ts';
import * as analysis from './migrations/0007-analysis.ts';
import * as inflation from './migrations/0008-inflation.ts';
import * as events from './migrations/0009-events.ts';
import * as recordHistory from './migrations/0010-record-history.ts';
import * as alerts from './migrations/0011-alerts.ts';
import * as alertSpeed from './migrations/0012-alert-speed.ts';
import * as notifications from './migrations/0013-notifications.ts';
import * as push from './migrations/0014-push.ts';
import * as email from './migrations/0015-email.ts';
import * as telegram from './migrations/0016-telegram.ts';
import * as webhooks from './migrations/0017-webhooks.ts';
import * as payments from './migrations/0018-payments.ts';
import * as deliveries from './migrations/0019-deliveries.ts';
import * as exported from './migrations/0020-exports.ts';
import * as trialAddresses from './migrations/0021-trials.ts';
import * as apiKeys from './migrations/0022-api-keys.ts';
import * as contact from './migrations/0023-contact.ts';
import * as errorLogs from './migrations/0024-error-logs.ts';
import * as disabledAccounts from './migrations/0025-disabled-accounts.ts';
import * as telegramBot from './migrations/0026-telegram-bot.ts';
import * as statusPage from './migrations/0027-status.ts';
import * as settings from './migrations/0028-settings.ts';
import * as jobs from './migrations/0029-jobs.ts';
import * as secretKeys from './migrations/0032-secret-keys.ts';
import * as leaders from './migrations/0035-leaders.ts';
import * as unreadableTransactions from './migrations/0040-unreadable-transactions.ts';
import * as supplyMethod from './migrations/0041-supply-method.ts';
import * as secondFactorPauses from './migrations/0045-second-factor-pauses.ts';
import * as weakPasswords from './migrations/0046-weak-passwords.ts';
import * as auditChain from './migrations/0047-audit-chain.ts';
import * as adminCounts from './migrations/0055-admin-counts.ts';
import * as priceRanges from './migrations/0056-price-ranges.ts';
import * as forecastReplay from './migrations/0057-forecast-replay.ts';
import * as poolWeights from './migrations/0058-pool-weights.ts';
import * as olderCandles from './migrations/0059-older-candles.ts';
import * as coinRanges from './migrations/0060-coin-ranges.ts';
import * as league from './migrations/0061-league.ts';
import * as quietEnd from './migrations/0062-quiet-end.ts';

/** Every migration in order. They are frozen once released: a change is a new one. */
export const migrations: Migrations = {
  '0001-platform': platform,
  '0002-market': market,
  '0003-metrics': metrics,
  '0004-accounts': accounts,
  '0005-mail': mail,
  '0006-predictions': predictions,
  '0007-analysis': analysis,
  '0008-inflation': inflation,
  '0009-events': events,
  '0010-record-history': recordHistory,
  '0011-alerts': alerts,
  '0012-alert-speed': alertSpeed,
  '0013-notifications': notifications,
  '0014-push': push,
  '0015-email': email,
  '0016-telegram': telegram,
  '0017-webhooks': webhooks,
  '0018-payments': payments,
  '0019-deliveries': deliveries,
  '0020-exports': exported,
  '0021-trials': trialAddresses,
  '0022-api-keys': apiKeys,
  '0023-contact': contact,
  '0024-error-logs': errorLogs,
  '0025-disabled-accounts': disabledAccounts,
  '0026-telegram-bot': telegramBot,
  '0028-settings': settings,
  '0029-jobs': jobs,
  '0027-status': statusPage,
  '0035-leaders': leaders,
  '0040-unreadable-transactions': unreadableTransactions,
  '0041-supply-method': supplyMethod,
  '0045-second-factor-pauses': secondFactorPauses,
  '0046-weak-passwords': weakPasswords,
  '0047-audit-chain': auditChain,
  '0032-secret-keys': secretKeys,
  '0055-admin-counts': adminCounts,
  '0056-price-ranges': priceRanges,
  '0057-forecast-replay': forecastReplay,
  '0058-pool-weights': poolWeights,
  '0059-older-candles': olderCandles,
  '0060-coin-ranges': coinRanges,
  '0061-league': league,
  '0062-quiet-end': quietEnd,
};

export const migrate = (connection: Connection): Promise<void> => migrateWith(connection, migrations);
