/** Every act that is kept, in words; by noun, as the filter offers them. */
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
  session: { noun: 'Sign-in', acts: { start: 'Signed in', end: 'Signed out', refuse: 'Sign-in refused' } },
  password: {
    noun: 'Password',
    acts: { change: 'Password changed', forget: 'New password asked for', reset: 'Password set by a link' },
  },
  email: {
    noun: 'Address',
    acts: {
      confirm: 'Address confirmed',
      resend: 'Confirmation sent again',
      request: 'Change of address asked for',
      cancel: 'Change of address cancelled',
      change: 'Address changed',
    },
  },
  two_factor: {
    noun: 'Two-factor',
    acts: {
      enable: 'Two-factor turned on',
      disable: 'Two-factor turned off',
      renew: 'New backup codes made',
      backup_code: 'Backup code used',
      refuse: 'Second factor refused',
    },
  },
  passkey: {
    noun: 'Passkey',
    acts: { add: 'Passkey added', remove: 'Passkey removed', refuse: 'Passkey refused' },
  },
  'api-key': {
    noun: 'API key',
    acts: { add: 'API key made', renew: 'API key regenerated', remove: 'API key deactivated' },
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
  access: { noun: 'Access', acts: { end: 'Keys, webhooks, chats and passkeys ended' } },
  notifications: { noun: 'Notifications', acts: { unsubscribe: 'Unsubscribed by a link' } },
  plan: { noun: 'Plan', acts: { set: 'Plan set' } },
  credit: { noun: 'Credit', acts: { add: 'Credit added' } },
  payment: { noun: 'Payment', acts: { claim: 'Payment claimed', ask: 'Payment asked for' } },
  suspense: { noun: 'Money without owner', acts: { assign: 'Money given to its owner' } },
  receipt: { noun: 'Receipt', acts: { read: 'Receipt read' } },
  mail: { noun: 'Mail', acts: { read: 'Mail read' } },
  contact: { noun: 'Message', acts: { status: 'Message to support moved' } },
  delivery: { noun: 'Delivery', acts: { retry: 'Delivery tried again' } },
  event: {
    noun: 'Event',
    acts: { ignore: 'Event ignored', unignore: 'Event restored', delete: 'Event deleted' },
  },
  collection: { noun: 'Collection', acts: { start: 'Collection started', export: 'Collection exported' } },
  source: { noun: 'Source', acts: { collect: 'Source collected by hand' } },
  job: { noun: 'Job', acts: { run: 'Job run by hand', retry: 'Failed job tried again' } },
  setting: { noun: 'Setting', acts: { change: 'Setting changed' } },
  incident: {
    noun: 'Incident',
    acts: { create: 'Incident written', update: 'Incident updated', retract: 'Incident retracted' },
  },
  error: { noun: 'Error', acts: { resolve: 'Error resolved' } },
  telegram: {
    noun: 'Telegram bot',
    acts: {
      webhook: 'Webhook of the bot registered',
      broadcast: 'Announcement sent',
      broadcast_cancel: 'Announcement stopped',
    },
  },
  admin: { noun: 'Administrator', acts: { appoint: 'Administrator appointed' } },
};

/** 'session.start' in words; one that is not known here stands as it is. */
export function actionWords(action: string): string {
  const at = action.indexOf('.');
  return ACTIONS[action.slice(0, at)]?.acts[action.slice(at + 1)] ?? action;
}
