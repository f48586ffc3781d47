import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { rpc } from './solana-test-chain.ts';

type Params = readonly unknown[];

/** How the node in front of the real one alters each call and each response. */
export type Overrides = {
  alterParams?: (method: string, params: Params) => Params;
  alterResult?: (method: string, result: unknown) => unknown;
};

export type TamperingNode = { url: string; overrides: Overrides; calls: string[]; close: () => Promise<void> };

/** A node that forwards calls to another one, with altered responses. */
export async function startTamperingNode(upstream: string): Promise<TamperingNode> {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      const { id, method, params = [] } = JSON.parse(text) as { id: number; method: string; params?: Params };
      calls.push(method);
      const { alterParams = (_method, unchanged) => unchanged, alterResult = (_method, unchanged) => unchanged } =
        node.overrides;
      const reply = await rpc(upstream, method, alterParams(method, params)).then(
        (result) => ({ result: alterResult(method, result) }),
        (error: unknown) => ({ error: { code: -32_000, message: (error as Error).message } }),
      );
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...reply }));
    })();
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  const node: TamperingNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    overrides: {},
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
