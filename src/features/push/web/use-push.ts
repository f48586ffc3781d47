import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { useToken } from '#web/session.ts';

import type { PushBrowser } from '../contract.ts';
import { type PushHelper, type PushStatus, pushHelper } from './push-helper.ts';
import { pushBrowsersQuery } from './queries.ts';

export type PushView = {
  /** Null until the browser has been asked. */
  status: PushStatus | null;
  /** This browser is subscribed, and the server knows it; in the demo a simulated one in its place. */
  isHere: boolean;
  /** All browsers of the person that the server knows. */
  browsers: readonly PushBrowser[];
  /** The demo plays the browsers. Null until the server has said so. */
  simulated: boolean | null;
  /** Something is under way. */
  busy: boolean;
  /** Works with the helper, then looks again. */
  act: <T>(work: (helper: PushHelper) => Promise<T>) => Promise<T>;
};

export function usePush(): PushView {
  const queries = useQueryClient();
  const token = useToken();
  const { data, isError } = useQuery(pushBrowsersQuery(token));
  const browsers = data?.browsers ?? [];
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
    isHere: data?.simulated ? browsers.length > 0 : browsers.some((browser) => browser.endpoint === endpoint),
    browsers,
    simulated: data?.simulated ?? (isError ? false : null),
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
