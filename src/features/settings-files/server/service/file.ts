import type { z } from 'zod/mini';

import { type Preferences, preferences } from '#features/notifications/contract.ts';
import {
  MOST_RULES,
  type ParsedThreshold,
  type ThresholdInput,
  thresholdInput,
} from '#features/thresholds/contract.ts';
import { AppError } from '#server/platform/errors.ts';
import { wordsOf } from '#server/platform/route.ts';
import { BRAND } from '#shared/brand.ts';

/** Files of another version are refused: they may mean something else. */
export const VERSION = 1;

/** What is taken away and brought back. `rules` is null where the plan has none. */
export type SettingsFile = {
  version: number;
  product: string;
  createdAt: string;
  rules: ThresholdInput[] | null;
  notifications: Preferences;
};

const refuse = (sentence: string): never => {
  throw new AppError('bad_request', sentence);
};

function parsed<S extends z.ZodMiniType>(schema: S, value: unknown, about: string): z.output<S> {
  const answer = schema.safeParse(value);
  if (answer.success) return answer.data;
  const issue = answer.error.issues[0];
  return refuse(`${about}: ${wordsOf(issue?.message ?? 'Bad request', issue?.path ?? [])}`);
}

/** A file whose beginning fits; what it holds is looked at when it is asked for. */
export type Opened = { rules: unknown; notifications: unknown };

export function openFile(file: unknown): Opened {
  const { product, version, rules, notifications } = (typeof file === 'object' && file !== null ? file : {}) as Record<
    string,
    unknown
  >;
  if (product !== BRAND.name || typeof version !== 'number') refuse(`This is not a settings file of ${BRAND.name}`);
  if (version !== VERSION)
    refuse(`This file is of version ${String(version)}. ${BRAND.name} reads version ${VERSION} here.`);
  return { rules, notifications };
}

/** Throws with the number of the first rule that cannot be read. */
export function rulesIn({ rules }: Opened): ParsedThreshold[] {
  if (rules === null || rules === undefined) return refuse('This file holds no custom alerts');
  if (!Array.isArray(rules)) return refuse('The custom alerts of this file are no list');
  if (rules.length > MOST_RULES)
    refuse(`A list holds at most ${MOST_RULES} alerts, and this file has ${rules.length.toLocaleString('en-US')}`);
  return rules.map((rule, i) => parsed(thresholdInput, rule, `Number ${i + 1}`));
}

export function notificationsIn({ notifications }: Opened): Preferences {
  if (notifications === null || notifications === undefined) return refuse('This file holds no notification settings');
  return parsed(preferences, notifications, 'Notification settings');
}
