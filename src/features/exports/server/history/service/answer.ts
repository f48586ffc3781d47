import type { HistoryReply, HistoryType } from '#features/exports/contract/history.ts';
import type { Caller } from '#kernel/route.ts';

import type { HistoryDeps } from '../context.ts';
import { type Paged, readHistory } from './read.ts';

/** A page from one server; one that goes on behind a cursor knows whatever the page before it knew. */
export const answerHistory = (
  deps: HistoryDeps,
  type: HistoryType,
  question: Paged,
  caller: Caller | null,
): Promise<HistoryReply> =>
  deps.reads.answer((db) => readHistory({ ...deps, db }, type, question, caller), {
    fresh: question.cursor !== undefined,
  });
