import { CallError } from '#web/api/client.ts';

import type { Draft } from './draft.ts';

/** Why the list was not saved; `key` names the rule that it is about, where that can be told. */
export type Refusal = { key: string | null; message: string };

/** 'Number 3: …' and 'thresholds.2.value: …' name a place in the list. */
const PLACE = /^(?:Number (\d+): |thresholds\.(\d+)\b)/;

export function refusalOf(error: unknown, drafts: readonly Draft[]): Refusal {
  if (!(error instanceof CallError)) return { key: null, message: 'Something went wrong on this page.' };
  const [named = '', number, index] = PLACE.exec(error.message) ?? [];
  const at = number ? Number(number) - 1 : Number(index ?? -1);
  const message = number ? error.message.slice(named.length) : error.message;
  return { key: drafts[at]?.key ?? null, message };
}
