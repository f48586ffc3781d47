import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type Relay = {
  port: number;
  /** Traffic stops in both directions without an error; new connections wait too. */
  freeze: () => void;
  resume: () => void;
  /** Closes every connection. */
  cut: () => void;
  connections: () => number;
  close: () => Promise<void>;
};

/** Accepts connections on loopback and forwards each to the next of `targets` that accepts it. */
export async function openRelay(targets: () => number[]): Promise<Relay> {
  const pairs = new Set<Socket[]>();
  const queued = new Set<Socket>();
  let isFrozen = false;
  let nextTarget = 0;

  function closePair(pair: Socket[]): void {
    pairs.delete(pair);
    for (const socket of pair) socket.destroy();
  }

  function pipePair(from: Socket, to: Socket): void {
    const pair = [from, to];
    pairs.add(pair);
    for (const socket of pair) {
      socket.setNoDelay(true);
      socket.on('close', () => closePair(pair));
    }
    from.pipe(to);
    to.pipe(from);
    if (isFrozen) for (const socket of pair) socket.pause();
  }

  function connectTo(from: Socket, ports: number[]): void {
    const [port, ...fallbacks] = ports;
    if (port === undefined || from.destroyed) return void from.destroy();
    const to = connect(port, '127.0.0.1');
    to.once('error', () => connectTo(from, fallbacks));
    to.once('connect', () => {
      to.removeAllListeners('error');
      to.on('error', () => undefined);
      pipePair(from, to);
    });
  }

  function forward(from: Socket): void {
    const ports = targets();
    nextTarget += 1;
    connectTo(
      from,
      ports.map((_, i) => ports[(i + nextTarget) % ports.length] as number),
    );
  }

  const server = createServer({ allowHalfOpen: false }, (from) => {
    from.on('error', () => undefined);
    if (isFrozen) {
      queued.add(from);
      from.once('close', () => queued.delete(from));
    } else forward(from);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const cut = () => {
    for (const pair of pairs) closePair(pair);
    for (const socket of queued) socket.destroy();
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
    resume() {
      isFrozen = false;
      for (const [from, to] of pairs) {
        if (!from || !to) continue;
        from.pipe(to);
        to.pipe(from);
      }
      for (const socket of queued) {
        queued.delete(socket);
        forward(socket);
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
