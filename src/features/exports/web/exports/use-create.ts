import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import { CallError } from '#ui/api/client.ts';
import { useToken } from '#ui/session.ts';
import { toast } from '#ui/toast.ts';

import { makeExport } from './download.ts';
import { historyQuery, isMaking, refreshExports } from './queries.ts';

const SUCCESS_MS = 15_000;
const ERROR_MS = 5_000;

export const tellSuccess = (message: string): void => toast('success', message, SUCCESS_MS);
export const tellFailure = (message: string): void => toast('error', message, ERROR_MS);

const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

type Options = {
  /** Toast text for a failure. */
  failed: (words: string) => string;
};

/** One export at a time: `busy` from the click until the file has arrived, or until a large one is finished. */
export function useCreate({ failed }: Options) {
  const queries = useQueryClient();
  const history = useQuery(historyQuery(useToken()));
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const making = useRef<string | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const own = history.data?.filter(({ schedule_id }) => schedule_id === null) ?? [];
  const inWork = own.find(isMaking) ?? null;

  useEffect(() => {
    const ended = history.data?.find((item) => item.id === making.current && !isMaking(item));
    if (!ended) return;
    making.current = null;
    if (ended.state === 'done') tellSuccess('Your export is ready to download.');
    if (ended.state === 'failed') tellFailure(failed(ended.error ?? 'it could not be created'));
  }, [history.data, failed]);

  async function create(body: unknown): Promise<void> {
    if (asking || inWork) return;
    const controller = new AbortController();
    running.current = controller;
    setAsking(true);
    setProblem(null);
    try {
      const made = await makeExport(body, controller.signal);
      making.current = made.making;
      if (made.making === null) tellSuccess('Export created successfully!');
    } catch (error) {
      if (!controller.signal.aborted) {
        tellFailure(failed(errorText(error)));
        setProblem(error instanceof CallError ? error.message : null);
      }
    }
    await refreshExports(queries);
    if (!controller.signal.aborted) setAsking(false);
  }
  return { busy: asking || inWork !== null, inWork, problem, create };
}
