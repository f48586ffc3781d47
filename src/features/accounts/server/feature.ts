import { accountTopic } from '#features/accounts/contract/auth.ts';
import { type FeatureContext, feature } from '#kernel/feature.ts';
import type { Live } from '#kernel/live/live.ts';
import { HASH, ownedBy, QUEUE, SECRET } from '#kernel/personal-data.ts';
import type { Topic } from '#shared/contract.ts';

import { authJobs } from './auth/jobs.ts';
import { authRoutes } from './auth/routes.ts';
import { type Auth, createAuth } from './auth/service.ts';
import { passkeysRoutes } from './passkeys/routes.ts';
import { personalDataRoutes } from './personal-data/routes.ts';
import type { PersonalDataTables } from './personal-data/service.ts';
import { profileRoutes } from './profile/routes.ts';
import { twoFactorRoutes } from './two-factor/routes.ts';

type Routes = {
  auth: Auth;
  live: Live;
  topics: readonly Topic[];
  personalData: PersonalDataTables;
  cards: Pick<Parameters<typeof profileRoutes>[1], 'cardOf'>;
};

export const accounts = feature({
  name: 'accounts',
  create: ({ db, config, mode, now, log, report, mail, secrets, listener, live, publicUrl }: FeatureContext) => ({
    auth: createAuth({ db, config, mode, now, log, report, mail, secrets, listener, live, publicUrl }),
  }),
  topics: [accountTopic],
  routes(app, { auth, live, topics, personalData, cards }: Routes) {
    authRoutes(app, auth.ctx, topics);
    twoFactorRoutes(app, auth.ctx);
    passkeysRoutes(app, auth.ctx);
    personalDataRoutes(app, auth.ctx, personalData);
    profileRoutes(app, { ...auth.ctx, live, cardOf: cards.cardOf });
  },
  jobs: authJobs,
  personalData: [
    {
      table: 'users',
      of: 'id',
      shown:
        'id email password_weak email_verified_at pending_email role created_at notify_email notify_push notify_telegram notification_preferences event_notifications event_windows event_channels event_impact telegram_announcements disabled_at disabled_reason',
      hidden: { password_hash: HASH, disabled_by: 'the ID of an administrator' },
    },
    ownedBy('sessions', 'created_at seen_at expires_at proved_at device network', { id: QUEUE, token_hash: HASH }),
    ownedBy('known_devices', 'seen_at device network'),
    ownedBy('passkeys', 'created_at name last_used_at transports', {
      id: QUEUE,
      credential_id: SECRET,
      public_key: SECRET,
      counter: QUEUE,
    }),
    ownedBy('two_factor', 'enabled_at', {
      sealed_secret: SECRET,
      last_step: QUEUE,
      wrong_codes: QUEUE,
      wait_until: QUEUE,
    }),
    ownedBy('backup_codes', 'used_at', { code_hash: HASH }),
    ownedBy('entitlements', 'created_at source plan starts_at ends_at note', {
      id: QUEUE,
      created_by: 'the ID of an administrator',
    }),
  ],
  excludedFromPersonalData: {
    one_time_tokens: 'secrets of emailed links',
  },
  sealed: [{ table: 'two_factor', key: 'user_id', columns: ['sealed_secret'] }],
});
