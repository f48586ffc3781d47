import { z } from 'zod';

import type { SourceClient } from '#kernel/http/http-client.ts';

import { AnswerError } from './completion.ts';

/** A text model as its provider lists it; null where the list does not say. */
export type ListedModel = {
  id: string;
  /** The name to request it by, if that contains more than its id. */
  callAs: string;
  /** Whether it supports a JSON schema. */
  structured: boolean | null;
  contextTokens: number | null;
  maxOutputTokens: number | null;
  /** USD per million tokens. */
  price: { inputUsd: number; outputUsd: number } | null;
};

/** How a provider's models are listed and selected. */
export type ModelChoice = {
  /** Every available model, best first. */
  list: (client: SourceClient, now: Date, signal: AbortSignal) => Promise<ListedModel[]>;
  /** The id chosen by the operator. */
  wanted: string | null;
};

/** The common outer shape of model lists. */
export const modelList = z.object({ data: z.array(z.unknown()) });

/** The readable rows: one in an unknown format must not invalidate the others. */
export const validRows = <S extends z.ZodType>(row: S, { data }: z.infer<typeof modelList>): z.output<S>[] =>
  data.flatMap((each) => {
    const { success, data } = row.safeParse(each);
    return success ? [data] : [];
  });

const KEPT_MS = 6 * 3_600_000;

const unlisted = (id: string): ListedModel => ({
  id,
  callAs: id,
  structured: null,
  contextTokens: null,
  maxOutputTokens: null,
  price: null,
});

/** Stays with a model while it is listed: another model starts another record. */
export function createModelList({ list, wanted }: ModelChoice, name: string, now: () => Date) {
  let cached: { models: ListedModel[]; at: number } | null = null;
  let current: string | null = wanted;

  async function read(client: SourceClient, signal: AbortSignal): Promise<ListedModel[]> {
    const at = now();
    if (cached && Math.abs(at.getTime() - cached.at) < KEPT_MS) return cached.models;
    const models = await list(client, at, signal);
    cached = { models, at: at.getTime() };
    return models;
  }

  return {
    async choose(client: SourceClient, signal: AbortSignal): Promise<ListedModel> {
      if (wanted !== null) {
        // The operator's choice takes precedence, even without a list.
        const models = await read(client, signal).catch((error: unknown) => {
          if (signal.aborted) throw error;
          return [];
        });
        return models.find(({ id, callAs }) => id === wanted || callAs === wanted) ?? unlisted(wanted);
      }
      const models = await read(client, signal);
      const chosen = models.find(({ id }) => id === current) ?? models[0];
      if (!chosen) throw new AnswerError(`${name} lists no usable model`);
      current = chosen.id;
      return chosen;
    },
    /** The list was wrong about a model: the next call reads it again. */
    forget(): void {
      cached = null;
    },
  };
}
