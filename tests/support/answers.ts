import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

type Given = (query: URLSearchParams, headers: IncomingHttpHeaders) => unknown;

export type Answers = {
  url: string;
  /** What a path answers from now on; a function may look at the query and the headers. */
  give: (path: string, answer: unknown, status?: number) => void;
  close: () => Promise<void>;
};

/** A provider that answers with exactly what it was given: recorded bodies, or bodies no provider should send. */
export async function startAnswers(): Promise<Answers> {
  const given = new Map<string, { answer: unknown; status: number }>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const found = given.get(url.pathname);
    const body =
      typeof found?.answer === 'function' ? (found.answer as Given)(url.searchParams, request.headers) : found?.answer;
    response.writeHead(found?.status ?? 404, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body ?? { error: 'never given' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${at}`,
    give: (path, answer, status = 200) => void given.set(path, { answer, status }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
