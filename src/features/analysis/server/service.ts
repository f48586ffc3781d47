import type { AiAnalysis, CollectionStep } from '#features/analysis/contract.ts';
import { collectionTopic } from '#features/analysis/contract.ts';
import { recordTopic } from '#features/predictions/contract.ts';
import { messageOf } from '#server/platform/errors.ts';
import { SourceError } from '#server/platform/http/source-error.ts';
import { createKept } from '#server/platform/kept.ts';

import { type AnalystDeps, createAnalysts } from './analysts.ts';
import type { AnalysisContext } from './context.ts';
import { LOCAL } from './local/analyst.ts';
import { composeAnalysis } from './service/compose.ts';
import { writeDemoPast } from './service/demo-past.ts';
import { type PastDirections, pastDirections } from './service/directions.ts';
import { createFits } from './service/pasts.ts';
import { readyAt, runAnalysis } from './service/run.ts';
import { analysesBefore, findAnalysis, lastIssuedAt } from './store.ts';
import type { Question, Said } from './types.ts';

export { predictionSetOf } from './service/compose.ts';
export type { PastDirections } from './service/directions.ts';
export type { Question } from './types.ts';

/** What one analyst said to a question; null when it gave no answer. */
export type Spoken = { analyst: string; name: string; said: Said | null };

type Elsewhere = Omit<AnalystDeps, 'onUnusable'>;

export type Analysis = {
  ctx: AnalysisContext;
  start: () => Promise<void>;
  reload: () => Promise<void>;
  onChange: (handler: () => void) => void;
  /** The newest analysis; null before the first. */
  current: () => AiAnalysis | null;
  /** What was said last at a moment. */
  at: (moment: Date) => Promise<AiAnalysis | null>;
  /** All of them, newest first, below the one named. One without `providers` was answered by nobody. */
  before: (id: string | null, most: number) => Promise<AiAnalysis[]>;
  /** What each analysis between two moments said, oldest first. */
  directions: (from: Date, to: Date) => Promise<PastDirections[]>;
  /** Asks everyone now and freezes what they say. */
  run: (signal: AbortSignal) => Promise<void>;
  /**
   * Asks everyone with a key a question of another feature, or with `one` until somebody has answered. `elsewhere` asks at
   * another time, as in a simulated past.
   */
  ask: (question: Question, signal: AbortSignal, how?: { one?: boolean; elsewhere?: Elsewhere }) => Promise<Spoken[]>;
  /** Demo only: the record of the simulated past; false while that past is not known yet. */
  writePast: (signal: AbortSignal) => Promise<boolean>;
  /** Prices and their past are known. */
  isReady: () => Promise<boolean>;
  lastIssuedAt: () => Promise<Date | null>;
  /** Runs one step of a collection and tells the pages how it goes. */
  step: (step: CollectionStep, run: () => Promise<unknown>) => Promise<void>;
};

/** Who is asked, what they said last, and asking them. */
export function createAnalysis(ctx: AnalysisContext): Analysis {
  const { db, config, mode, now, live, sources } = ctx;
  const analysts = createAnalysts({
    config,
    now,
    clientOf: sources.client,
    onUnusable: (source, error) => sources.failed(source, error),
  });
  const asking = { analysts, fitsAt: createFits() };

  async function at(moment: Date): Promise<AiAnalysis | null> {
    const stored = await findAnalysis(db, moment, LOCAL.id);
    return stored ? composeAnalysis(stored, analysts, mode) : null;
  }
  const current = createKept<AiAnalysis | null>({ live, topic: recordTopic, first: null, read: () => at(now()) });

  return {
    ctx,
    start: current.start,
    reload: current.reload,
    onChange: current.onChange,
    current: current.get,
    at,
    // Of an earlier one only who was asked counts, not who could be asked today.
    before: async (id, most) => (await analysesBefore(db, id, most)).map((each) => composeAnalysis(each, [], mode)),
    directions: (from, to) => pastDirections(ctx, from, to),
    run: (signal) => runAnalysis(ctx, asking, signal),
    async ask(question, signal, { one = false, elsewhere } = {}) {
      const asked = (elsewhere ? createAnalysts(elsewhere) : analysts).filter(({ keyName }) => keyName === null);
      const askOf = async ({ id, name, say }: (typeof asked)[number]): Promise<Spoken> => {
        const said = await say(question, signal).catch((error: unknown) => {
          if (!(error instanceof SourceError)) throw error;
          return null;
        });
        return { analyst: id, name, said };
      };
      if (!one) return Promise.all(asked.map(askOf));
      for (const analyst of asked) {
        const spoken = await askOf(analyst);
        if (spoken.said) return [spoken];
      }
      return [];
    },
    writePast: (signal) => writeDemoPast(ctx, asking.fitsAt, signal),
    isReady: async () => (await readyAt(ctx, now())) !== null,
    lastIssuedAt: () => lastIssuedAt(db),
    async step(step, run) {
      const tell = (state: 'running' | 'complete' | 'failed', note: string | null = null) =>
        live.publish(collectionTopic, { at: now().getTime(), step, state, note });
      await tell('running');
      try {
        await run();
        await tell('complete');
      } catch (error) {
        await tell('failed', messageOf(error));
        throw error;
      }
    },
  };
}
