import type { NewsContent } from '#features/email/server/service.ts';

type Input = {
  userId: number;
  to: string;
  /** Of the limit: 80 or 100. */
  percent: number;
  /** Calls of the day. */
  spent: number;
  limit: number;
  /** The UTC day. */
  day: string;
  publicUrl: string;
};

const count = (calls: number) => calls.toLocaleString('en-US');

/** Most or all of the API calls of a day are used up: each is told once a day. */
export function limitReachedMail({ userId, to, percent, spent, limit, day, publicUrl }: Input): NewsContent {
  const isOver = percent >= 100;
  const title = isOver
    ? 'Your API calls of today are used up'
    : `You have used ${percent} % of your API calls of today`;
  return {
    kind: isOver ? 'api-limit-reached' : 'api-limit-near',
    userId,
    to,
    subject: title,
    title,
    lines: [
      isOver
        ? 'Further calls are refused with status 429 until the limit starts anew at midnight UTC.'
        : 'When all are used, further calls are refused with status 429 until midnight UTC.',
    ],
    facts: [
      { label: 'Used', value: `${count(spent)} of ${count(limit)} calls` },
      { label: 'Day', value: `${day}, UTC` },
    ],
    action: { label: 'See your usage', url: `${publicUrl}/app/profile?tab=api-keys` },
    because: 'the programs that use your API keys come close to a limit or have reached it.',
  };
}
