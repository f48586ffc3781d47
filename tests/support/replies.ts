import type { ask } from './people.ts';

type Reply = Awaited<ReturnType<typeof ask>>;

/** Status and words of a refusal. */
export const said = ({ statusCode, json }: Reply): [number, string] => [statusCode, json<{ error: string }>().error];

/** In order of size: of answers to what was asked at once it is not known which is which. */
export const statusesOf = (replies: readonly Reply[]): number[] =>
  replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);
