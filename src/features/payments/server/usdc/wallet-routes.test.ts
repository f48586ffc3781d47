import { beforeAll, describe, expect, test } from 'vitest';
import { fileProduct } from '#tests/support/file-product.ts';
import { ask, type Person, person } from '#tests/support/people.ts';
import { said } from '#tests/support/replies.ts';

const PATH = '/api/subscribe/solana/blockhash';

const s = fileProduct({ env: { PAY_SOLANA_WALLET: 'mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN' } });
let ann: Person;
beforeAll(async () => {
  ann = await person(s, 'ann');
});

describe('what a wallet needs of Solana', () => {
  test('the newest block, for who is signed in; the same within five seconds', async () => {
    expect((await s.get(PATH)).statusCode).toBe(401);
    const first = (await ann.get(PATH)).json<{ blockhash: string; lastValidBlockHeight: string }>();
    expect(first.blockhash).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
    expect(Number(first.lastValidBlockHeight)).toBeGreaterThan(0);
    s.advance(4000);
    expect((await ann.get(PATH)).json()).toEqual(first);
    s.advance(2000);
    expect((await ann.get(PATH)).json()).not.toEqual(first);
  });

  test('a network that does not answer, and one that is not set up, say so; the next asks anew', async () => {
    s.advance(6000);
    s.sandbox.faults.set({ provider: 'solana-pay', kind: 'server_error' });
    const refused = await ann.get(PATH);
    expect(said(refused)).toEqual([503, 'Solana does not answer at the moment. Please try again.']);
    s.sandbox.faults.clear();
    expect((await ann.get(PATH)).statusCode).toBe(200);
    const product = await s.another({ PAY_SOLANA_WALLET: '' });
    expect((await ask({ ...s, product }, 'GET', PATH, undefined, ann)).json()).toMatchObject({
      code: 'unavailable',
      error: 'USDC on Solana is not set up on this installation',
    });
  });
});
