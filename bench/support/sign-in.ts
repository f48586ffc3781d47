import { DEMO_ACCOUNTS } from '#features/accounts/server/auth/service.ts';

/** The token of the demo account on Pro. */
export async function signIn(port: number): Promise<string> {
  const account = DEMO_ACCOUNTS.find(({ plan }) => plan === 'pro');
  const answer = await fetch(`http://127.0.0.1:${port}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: account?.email, password: account?.password }),
  });
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(`Signing in answered ${answer.status}: ${body}`);
  return (JSON.parse(body) as { token: string }).token;
}
