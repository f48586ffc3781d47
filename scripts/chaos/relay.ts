import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type Relay = {
  port: number;
  /** Traffic stops in both directions without an error; new connections wait too. */
  freeze: () => void;
  thaw: () => void;
  /** Closes every connection. */
  cut: () => void;
  connections: () => number;
  close: () => Promise<void>;
};

/** Accepts connections on loopback and forwards each to the next of `targets` that accepts it. */
export async function openRelay(targets: () => number[]): Promise<Relay> {
  const pairs = new Set<Socket[]>();
  const waiting = new Set<Socket>();
  let isFrozen = false;
  let turn = 0;

  function end(pair: Socket[]): void {
    pairs.delete(pair);
    for (const socket of pair) socket.destroy();
  }

  function join(from: Socket, to: Socket): void {
    const pair = [from, to];
    pairs.add(pair);
    for (const socket of pair) {
      socket.setNoDelay(true);
      socket.on('close', () => end(pair));
    }
    from.pipe(to);
    to.pipe(from);
    if (isFrozen) for (const socket of pair) socket.pause();
  }

  function reach(from: Socket, ports: number[]): void {
    const [port, ...others] = ports;
    if (port === undefined || from.destroyed) return void from.destroy();
    const to = connect(port, '127.0.0.1');
    to.once('error', () => reach(from, others));
    to.once('connect', () => {
      to.removeAllListeners('error');
      to.on('error', () => undefined);
      join(from, to);
    });
  }

  function hand(from: Socket): void {
    const ports = targets();
    turn += 1;
    reach(
      from,
      ports.map((_, i) => ports[(i + turn) % ports.length] as number),
    );
  }

  const server = createServer({ allowHalfOpen: false }, (from) => {
    from.on('error', () => undefined);
    if (isFrozen) {
      waiting.add(from);
      from.once('close', () => waiting.delete(from));
    } else hand(from);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const cut = () => {
    for (const pair of pairs) end(pair);
    for (const socket of waiting) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    freeze() {
      isFrozen = true;
      for (const [from, to] of pairs) {
        from?.unpipe();
        to?.unpipe();
        from?.pause();
        to?.pause();
      }
    },
    thaw() {
      isFrozen = false;
      for (const [from, to] of pairs) {
        if (!from || !to) continue;
        from.pipe(to);
        to.pipe(from);
      }
      for (const socket of waiting) {
        waiting.delete(socket);
        hand(socket);
      }
    },
    cut,
    connections: () => pairs.size,
    close() {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
