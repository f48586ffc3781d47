import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely';

import type { Condition, RuleOptions } from '#features/alerts/contract/thresholds.ts';

interface AlertRulesTable {
  id: Generated<number>;
  user_id: number;
  position: number;
  name: string;
  description: string;
  metric: string;
  condition: Condition;
  value: number;
  enabled: boolean;
  icon: string | null;
  options: JSONColumnType<RuleOptions>;
  /** Equal for equal options. */
  options_key: GeneratedAlways<string>;
  version: Generated<number>;
  first_on: Generated<number>;
  second_on: Generated<number>;
  pending_since: string | null;
  last_fired_at: string | null;
  fires: Generated<number>;
  suppressed: Generated<number>;
  done: Generated<boolean>;
  paused: 'plan' | 'storm' | null;
  created_at: string;
  updated_at: string;
}

interface AlertRuleListsTable {
  user_id: number;
  revision: number;
  updated_at: string;
}

interface AlertShardsTable {
  shard: number;
  epoch: number;
  owner: string;
  batch: Generated<number>;
  taken_at: string;
}

interface AlertTicksTable {
  shard: number;
  series: string;
  value: number;
  at: string;
}

declare module '#kernel/db.ts' {
  interface Tables {
    alert_rules: AlertRulesTable;
    alert_rule_lists: AlertRuleListsTable;
    alert_shards: AlertShardsTable;
    alert_ticks: AlertTicksTable;
  }
}
