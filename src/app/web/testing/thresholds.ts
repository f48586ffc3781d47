import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

import type { Threshold, ThresholdInput } from '#features/alerts/contract/thresholds.ts';
import { previewOf, ruleOf, rules } from '#features/alerts/web/thresholds/fixtures.ts';
import { type Answer, byMethod, refuse } from '#ui/testing/answers.ts';
import { LATE } from './acts.ts';
import { openSignedIn } from './signed-in.tsx';

export const LIST = '/api/alerts/thresholds';
export const PREVIEW = '/api/alerts/thresholds/preview';

type Body = { thresholds: ThresholdInput[] };
const bodyOf = (init?: RequestInit) => JSON.parse(init?.body as string) as Body;
const tagged = (list: readonly Threshold[], version: number) =>
  Response.json(list, { headers: { etag: `"${version}"` } });

/** The server's state: a list with a version, saved only over the version that was read. */
export function thresholdServer(start: readonly Threshold[] = rules) {
  const kept = { list: [...start], version: 1, lastId: 100 };
  const tried: ThresholdInput[] = [];
  const save: Answer = (_url, init) => {
    const asked = new Headers(init?.headers).get('if-match');
    if (asked !== `"${kept.version}"`)
      return refuse(412, 'Your alerts were changed in another tab.', 'precondition_failed')();
    kept.list = bodyOf(init).thresholds.map((input) => {
      const known = kept.list.find(({ id }) => id === input.id);
      return ruleOf({
        ...known,
        ...(input as Partial<Threshold>),
        icon: input.icon ?? '',
        id: input.id ?? ++kept.lastId,
      });
    });
    kept.version++;
    return tagged(kept.list, kept.version);
  };
  const calls: Record<string, Answer> = {
    [LIST]: byMethod({ GET: () => tagged(kept.list, kept.version), POST: save }),
    [PREVIEW]: (_url, init) => {
      const input = JSON.parse(init?.body as string) as ThresholdInput;
      tried.push(input);
      return Response.json(previewOf(Number(input.value)));
    },
  };
  return { kept, tried, calls };
}

export function showThresholds(
  start: readonly Threshold[] = rules,
  calls: Record<string, Answer> = {},
  at = '/app/custom-alerts',
) {
  const kept = thresholdServer(start);
  const app = openSignedIn({
    at,
    plan: 'pro',
    calls: { ...kept.calls, ...calls },
  });
  return { ...kept, ...app, saved: () => (app.sent(LIST, 'POST') as Body[]).map(({ thresholds }) => thresholds) };
}

export const card = async (name: string) => within(await screen.findByRole('article', { name }, LATE));
export const fillIn = async (field: HTMLElement, text: string) => {
  await userEvent.clear(field);
  await userEvent.paste(text);
};
export const saveAll = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save All' });
