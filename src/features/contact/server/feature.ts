import type { Auth } from '#features/accounts/server/auth/service.ts';
import { feature } from '#kernel/feature.ts';
import { ownedBy, QUEUE } from '#kernel/personal-data.ts';

import { contactJobs } from './jobs.ts';
import { contactRoutes } from './routes.ts';

export const contact = feature({
  name: 'contact',
  routes: (app, { auth }: { auth: Auth }) => contactRoutes(app, auth.ctx),
  jobs: contactJobs,
  personalData: [
    ownedBy('contact_messages', 'created_at name email subject message screenshot_type screenshot status settled_at', {
      id: QUEUE,
    }),
  ],
});
