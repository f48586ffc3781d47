type Hidden = Record<string, string>;

/** A table that holds something of a person. What is in neither list is refused by a test, so nothing is given away by chance. */
export type Part = {
  table: string;
  /** Column that holds the account; else `joined` says how its rows are found. */
  of?: string;
  joined?: { column: string; table: string; key: string; of: string };
  /** Columns that are given, in their order; the first one orders the rows. */
  shown: string;
  /** Of those, what is sealed where it is kept. */
  sealed?: readonly string[];
  /** Columns that are not, and why. */
  hidden?: Hidden;
};

const HASH = 'the hash of a secret';
const SECRET = 'a secret that opens or signs something';
const OWN = 'the number of the account, which every row has';
const QUEUE = 'how far our own work with it has come';

const owned = (table: string, shown: string, hidden: Hidden = {}, sealed: readonly string[] = []): Part => ({
  table,
  of: 'user_id',
  shown,
  sealed,
  hidden: { user_id: OWN, ...hidden },
});

export const PARTS: readonly Part[] = [
  {
    table: 'users',
    of: 'id',
    shown:
      'id email email_verified_at pending_email role created_at notify_email notify_push notify_telegram notification_preferences event_notifications event_windows event_channels event_impact telegram_announcements disabled_at disabled_reason',
    hidden: { password_hash: HASH, disabled_by: 'the number of an administrator' },
  },
  owned('sessions', 'created_at seen_at expires_at proved_at device network', { id: QUEUE, token_hash: HASH }),
  owned('known_devices', 'seen_at device network'),
  owned('passkeys', 'created_at name last_used_at transports', {
    id: QUEUE,
    credential_id: SECRET,
    public_key: SECRET,
    counter: QUEUE,
  }),
  owned('two_factor', 'enabled_at', { sealed_secret: SECRET, last_step: QUEUE }),
  owned('backup_codes', 'used_at', { code_hash: HASH }),
  owned('push_browsers', 'created_at device', {
    id: QUEUE,
    session_id: QUEUE,
    endpoint: SECRET,
    p256dh: SECRET,
    auth: SECRET,
  }),
  owned('telegram_chats', 'linked_at chat_id blocked_at', { bot_id: QUEUE, linked_by: QUEUE, free_at: QUEUE }),
  owned('mail_suppressions', 'at reason note until', { address_hash: HASH }),
  owned('api_keys', 'created_at name hint scopes last_used usage_count ended_at', {
    id: QUEUE,
    hash: HASH,
    old_hash: HASH,
    old_until: QUEUE,
  }),
  owned('api_days', 'day spent refused', { leased: QUEUE, told: QUEUE }),
  owned(
    'alert_rules',
    'position name description metric condition value enabled icon options created_at updated_at last_fired_at fires suppressed done paused',
    {
      id: QUEUE,
      version: QUEUE,
      first_on: QUEUE,
      second_on: QUEUE,
      pending_since: QUEUE,
      options_key: QUEUE,
    },
  ),
  owned(
    'alerts',
    'id type severity message metric value detail event_date source method source_at received_at evaluated_at queued_at',
    {
      rule_id: QUEUE,
      once: QUEUE,
      event_id: QUEUE,
    },
  ),
  owned('alert_acknowledgements', 'at alert_id'),
  owned('notification_deliveries', 'created_at channel state due_at queued_at sent_at tries note', {
    id: QUEUE,
    event_id: QUEUE,
    lane: QUEUE,
    expires_at: QUEUE,
    locked_until: QUEUE,
    held: QUEUE,
    restarted_at: QUEUE,
  }),
  owned('notification_events', 'created_at kind severity category subject payload withdrawn_at', {
    id: QUEUE,
    dedupe_key: QUEUE,
    alert_id: QUEUE,
    expires_at: QUEUE,
    fanned_to: QUEUE,
    fanned_at: QUEUE,
  }),
  owned(
    'webhooks',
    'created_at name url format enabled last_at last_state last_note failures failing_since disabled_at disabled_reason',
    {
      id: QUEUE,
      host: 'it is in the address',
      secret: SECRET,
      old_secret: SECRET,
      old_secret_until: QUEUE,
    },
    ['url'],
  ),
  {
    table: 'webhook_attempts',
    joined: { column: 'webhook_id', table: 'webhooks', key: 'id', of: 'user_id' },
    shown: 'at kind state status ms note',
    hidden: { id: QUEUE, webhook_id: QUEUE, delivery_id: QUEUE },
  },
  owned(
    'exports',
    'created_at data_types date_range range_from range_to format include_metadata compression state file_name file_size rows sha256 error finished_at expires_at',
    {
      id: QUEUE,
      schedule_id: QUEUE,
      scheduled_for: QUEUE,
      basic: QUEUE,
      attempt: QUEUE,
      beat_at: QUEUE,
      rows_expected: QUEUE,
      rows_done: QUEUE,
      manifest: 'it is in the exported file',
      started_at: QUEUE,
    },
  ),
  owned(
    'export_schedules',
    'created_at name schedule data_types date_range format include_metadata compression email_notification time_zone hour state next_run_at',
    {
      id: QUEUE,
      anchor: QUEUE,
    },
  ),
  owned('export_looks', 'updated_at name colour logo'),
  owned('entitlements', 'created_at source plan starts_at ends_at note', {
    id: QUEUE,
    created_by: 'the number of an administrator',
  }),
  owned('plan_grants', 'created_at source plan months days good_at units note', {
    id: QUEUE,
    created_by: 'the number of an administrator',
  }),
  owned('trials', 'started_at ends_at'),
  owned('billing_notices', 'sent_at kind', { key: QUEUE }),
  owned('card_customers', 'customer_id'),
  owned('card_subscriptions', 'created_at id plan months status period_end cancel_at_period_end updated_at', {
    customer_id: QUEUE,
    checkout_id: QUEUE,
    version: QUEUE,
  }),
  owned('card_checkouts', 'quoted_at plan months regular price credit_used proration starts_at expires_at state', {
    id: QUEUE,
    session_id: QUEUE,
    url: SECRET,
  }),
  owned('card_invoices', 'created_at number status units_paid units_refunded paid_at hosted_url', {
    id: QUEUE,
    subscription_id: QUEUE,
  }),
  owned(
    'usdc_payments',
    'created_at id number network address plan months price credit_used proration due expires_at applied_at',
    {
      route: QUEUE,
      applications: QUEUE,
    },
  ),
  {
    table: 'usdc_deposits',
    joined: { column: 'payment_id', table: 'usdc_payments', key: 'id', of: 'user_id' },
    shown: 'at network tx sender units state payment_id',
    hidden: {
      idx: QUEUE,
      block: QUEUE,
      block_hash: QUEUE,
      token: QUEUE,
      route: QUEUE,
      is_credited: QUEUE,
      generation: QUEUE,
      owner_id: OWN,
      seen_at: QUEUE,
    },
  },
  owned('usdc_claims', 'created_at network tx wallet message state note decided_at', {
    id: QUEUE,
    proof: SECRET,
    decided_by: 'the number of an administrator',
  }),
  owned('contact_messages', 'created_at name email subject message screenshot_type screenshot status settled_at', {
    id: QUEUE,
  }),
  {
    table: 'audit_log',
    of: 'subject_id',
    shown: 'at action details network',
    hidden: { id: QUEUE, subject_id: OWN, actor_id: 'the number of whoever did it' },
  },
];

/** Tables that name accounts and are in no file, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  alert_rule_lists: 'counts the changes of a list whose rules are given',
  one_time_tokens: 'secrets of links that were sent by mail',
  telegram_codes: 'secrets that hold for minutes',
  live_frames: 'what open pages were told in the last minutes, of which everything else is given',
  incidents: 'written by administrators for everyone',
  incident_updates: 'written by administrators for everyone',
  setting_changes: 'what administrators set',
  source_collections: 'what administrators started',
  telegram_broadcasts: 'written by administrators for everyone',
};
