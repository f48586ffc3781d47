import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { useToken } from '#web/session.ts';

import { type PushHelper, type PushStatus, pushHelper } from './push-helper.ts';
import { pushBrowsersQuery } from './queries.ts';

export type PushView = {
  /** Null until the browser has been asked. */
  status: PushStatus | null;
  /** This browser is subscribed, and the server knows it. */
  isHere: boolean;
  /** All browsers of the person that the server knows. */
  browsers: number;
  /** Something is under way. */
  busy: boolean;
  /** Works with the helper, then looks again. */
  act: <T>(work: (helper: PushHelper) => Promise<T>) => Promise<T>;
};

export function usePush(): PushView {
  const queries = useQueryClient();
  const token = useToken();
  const known = useQuery(pushBrowsersQuery(token)).data?.browsers ?? [];
  const [status, setStatus] = useState<PushStatus | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    let isHere = true;
    void pushHelper.initialize().then(() => {
      if (isHere) setStatus(pushHelper.getStatus());
    });
    return () => {
      isHere = false;
    };
  }, []);
  const endpoint = status?.subscription?.endpoint;

  return {
    status,
    isHere: known.some((browser) => browser.endpoint === endpoint),
    browsers: known.length,
    busy,
    async act(work) {
      setBusy(true);
      try {
        return await work(pushHelper);
      } finally {
        setStatus(pushHelper.getStatus());
        await queries.invalidateQueries({ queryKey: ['push-browsers'] });
        setBusy(false);
      }
    },
  };
}
