import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { rpc } from './solana-world.ts';

type Params = readonly unknown[];

/** How the node in front of the real one alters each call and each response. */
export type Lies = {
  ask?: (method: string, params: Params) => Params;
  answer?: (method: string, result: unknown) => unknown;
};

export type LyingNode = { url: string; lies: Lies; calls: string[]; close: () => Promise<void> };

/** A node that forwards calls to another one, with altered responses. */
export async function openLyingNode(behind: string): Promise<LyingNode> {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      const { id, method, params = [] } = JSON.parse(text) as { id: number; method: string; params?: Params };
      calls.push(method);
      const { ask = (_method, same) => same, answer = (_method, same) => same } = node.lies;
      const said = await rpc(behind, method, ask(method, params)).then(
        (result) => ({ result: answer(method, result) }),
        (error: unknown) => ({ error: { code: -32_000, message: (error as Error).message } }),
      );
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...said }));
    })();
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  const node: LyingNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lies: {},
    calls,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => {
        server.close(done);
      });
    },
  };
  return node;
}
