import { Agent, request } from 'node:http';

import { serveCalls } from '../support/offer.ts';

const agent = new Agent({ keepAlive: true });
const flood = { running: false };
let open: Promise<void>[] = [];
let answered = 0;
let refused = 0;
let sent = 0;

/** Wrong passwords for one account, each from a new network, so that limits per address do not apply. */
function tryOnce(port: number): Promise<number> {
  const n = ++sent;
  const network = `${11 + (n % 80)}.${(n >> 8) % 250}.${n % 250}.1`;
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': network };
  const body = JSON.stringify({ email: `nobody-${n}@people.example`, password: 'not it' });
  return new Promise((resolve) => {
    const call = request(
      { host: '127.0.0.1', port, path: '/api/auth/login', method: 'POST', headers, agent },
      (response) => response.resume().on('end', () => resolve(response.statusCode ?? 0)),
    );
    call.on('error', () => resolve(0));
    call.end(body);
  });
}

async function keepTrying(port: number): Promise<void> {
  while (flood.running) {
    const status = await tryOnce(port);
    if (status === 401) answered++;
    else refused++;
  }
}

serveCalls({
  start({ port, atOnce }: { port: number; atOnce: number }) {
    flood.running = true;
    [answered, refused] = [0, 0];
    open = Array.from({ length: atOnce }, () => keepTrying(port));
  },
  async stop() {
    flood.running = false;
    await Promise.all(open);
    return { answered, refused };
  },
});
