import { reportErrors } from '#features/error-logs/web/report-errors.ts';

import { followVersions } from './api/versions.ts';
import { tokenNow } from './session.ts';

/** What the page needs once it stands. `caught` holds the errors it met before. */
export function afterwards(caught: Event[]): void {
  reportErrors(caught);
  followVersions();
  // Only who is signed in can be sent anything.
  if (tokenNow() !== null)
    void import('#features/push/web/push-helper.ts').then(({ pushHelper }) => pushHelper.initialize());
}
