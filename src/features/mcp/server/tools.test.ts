import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { connected, storedKey } from '#tests/support/mcp.ts';
import { person } from '#tests/support/people.ts';
import { type Started, start } from '#tests/support/start.ts';

let s: Started;
let url: string;
beforeAll(async () => {
  s = await start();
  url = `http://127.0.0.1:${(await s.product.listen()).port}`;
  await s.product.rebuild();
});
afterAll(() => s.stop());

describe('a client of the official SDK', () => {
  test.each(['auto', 'legacy'] as const)('%s lists', async (mode) => {
    const { id } = await person(s, `one${mode}`, 'pro');
    const client = await connected(url, await storedKey(s, id), mode);
    console.log(client.getInstructions(), client.getServerVersion?.());
    const { tools } = await client.listTools();
    console.log(JSON.stringify(tools).slice(0, 5000));
    console.log(JSON.stringify(await client.callTool({ name: 'get_crypto_prices', arguments: {} })).slice(0, 3000));
    console.log(
      JSON.stringify(await client.callTool({ name: 'get_crypto_prices', arguments: { x: 1 } })).slice(0, 3000),
    );
    console.log(
      JSON.stringify(await client.callTool({ name: 'nothing', arguments: { x: 1 } }).catch(String)).slice(0, 3000),
    );
    expect(tools.length).toBeGreaterThan(0);
    await client.close();
  });
});
