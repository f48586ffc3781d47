/** Every recorded action in words; grouped by noun, as in the filter. */
export const ACTIONS: Record<string, { noun: string; acts: Record<string, string> }> = {
  account: {
    noun: 'Account',
    acts: {
      create: 'Account created',
      data: 'Personal data downloaded',
      delete: 'Account deleted',
      disable: 'Account disabled',
      enable: 'Account enabled',
    },
  },
  session: { noun: 'Sign-in', acts: { start: 'Signed in', end: 'Signed out', refuse: 'Sign-in rejected' } },
  password: {
    noun: 'Password',
    acts: { change: 'Password changed', forget: 'Password reset requested', reset: 'Password reset by link' },
  },
  email: {
    noun: 'Address',
    acts: {
      confirm: 'Address confirmed',
      resend: 'Confirmation resent',
      request: 'Address change requested',
      cancel: 'Address change canceled',
      change: 'Address changed',
    },
  },
  two_factor: {
    noun: 'Two-factor',
    acts: {
      enable: 'Two-factor turned on',
      disable: 'Two-factor turned off',
      renew: 'New backup codes created',
      backup_code: 'Backup code used',
      refuse: 'Second factor rejected',
    },
  },
  passkey: {
    noun: 'Passkey',
    acts: { add: 'Passkey added', remove: 'Passkey removed', refuse: 'Passkey rejected' },
  },
  'api-key': {
    noun: 'API key',
    acts: { add: 'API key created', renew: 'API key regenerated', remove: 'API key deactivated' },
  },
  webhook: {
    noun: 'Webhook',
    acts: {
      add: 'Webhook added',
      address: 'Webhook address changed',
      secret: 'Webhook secret renewed',
      remove: 'Webhook removed',
    },
  },
  access: { noun: 'Access', acts: { end: 'Keys, webhooks, chats and passkeys revoked' } },
  notifications: { noun: 'Notifications', acts: { unsubscribe: 'Unsubscribed by link' } },
  plan: { noun: 'Plan', acts: { set: 'Plan set' } },
  credit: { noun: 'Credit', acts: { add: 'Credit added' } },
  payment: { noun: 'Payment', acts: { claim: 'Payment claimed', ask: 'Payment opened' } },
  suspense: { noun: 'Unmatched deposit', acts: { assign: 'Deposit assigned' } },
  receipt: { noun: 'Receipt', acts: { read: 'Receipt viewed' } },
  mail: { noun: 'Email', acts: { read: 'Email viewed' } },
  contact: { noun: 'Message', acts: { status: 'Support message updated' } },
  delivery: { noun: 'Delivery', acts: { retry: 'Delivery retried' } },
  event: {
    noun: 'Event',
    acts: { ignore: 'Event ignored', unignore: 'Event restored', delete: 'Event deleted' },
  },
  collection: { noun: 'Collection', acts: { start: 'Collection started', export: 'Collection exported' } },
  source: { noun: 'Source', acts: { collect: 'Source collected manually' } },
  job: { noun: 'Job', acts: { run: 'Job run manually', retry: 'Failed job retried' } },
  setting: { noun: 'Setting', acts: { change: 'Setting changed' } },
  incident: {
    noun: 'Incident',
    acts: { create: 'Incident created', update: 'Incident updated', retract: 'Incident retracted' },
  },
  error: { noun: 'Error', acts: { resolve: 'Error resolved' } },
  telegram: {
    noun: 'Telegram bot',
    acts: {
      webhook: 'Bot webhook registered',
      broadcast: 'Announcement sent',
      broadcast_cancel: 'Announcement canceled',
    },
  },
  admin: { noun: 'Administrator', acts: { appoint: 'Administrator appointed' } },
};

/** 'session.start' in words; an unknown action is shown unchanged. */
export function actionWords(action: string): string {
  const at = action.indexOf('.');
  return ACTIONS[action.slice(0, at)]?.acts[action.slice(at + 1)] ?? action;
}
