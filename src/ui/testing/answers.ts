export type Answer = (url: string, init?: RequestInit) => Response | Promise<Response>;
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export const answer = (json: unknown) => () => Response.json(json);
export const refuse = (status: number, error: string, code: string) => () => Response.json({ error, code }, { status });
export const broken = refuse(500, 'Something went wrong on our side', 'internal');
export const unreachable = () => Promise.reject(new TypeError('Failed to fetch'));

export const byMethod =
  (answers: Partial<Record<Method, Answer>>): Answer =>
  (url, init) =>
    answers[(init?.method ?? 'GET') as Method]?.(url, init) ?? broken();

/** Refuses until the user has re-authenticated; `prove` responds to the call that does it. */
export function afterProof(then: Answer): { act: Answer; prove: Answer } {
  let proved = false;
  return {
    act: (url, init) =>
      proved ? then(url, init) : refuse(403, 'Please confirm it’s you to continue.', 'reauthentication_required')(),
    prove(_url, init) {
      const { password } = JSON.parse(init?.body as string) as { password: string };
      if (password !== 'correct horse') return refuse(403, 'Incorrect password', 'forbidden')();
      proved = true;
      return Response.json({ until: '2026-11-21T12:15:00.000Z' });
    },
  };
}
