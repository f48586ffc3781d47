import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { serveCalls } from '../support/offer.ts';

let taken = 0;

/** A push service that accepts everything at once and stores nothing. */
const server = createServer((request, response) => {
  taken++;
  request.resume().on('end', () => response.writeHead(201).end());
});

serveCalls(
  {
    listen: () =>
      new Promise<number>((resolve) =>
        server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
      ),
    taken: () => taken,
  },
  () => server.close(),
);
