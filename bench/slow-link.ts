import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A network between a browser and a site. */
export interface Link {
  /** Milliseconds from one end to the other. */
  readonly delayMs: number;
  /** Bytes a second in each direction, of all connections together. Default: no limit. */
  readonly bytesPerSecond?: number;
}

/**
 * Opens a port of this machine that passes bytes to another port as a slow network does. The first
 * bytes of a connection wait for its handshake, a round trip.
 */
export async function openSlowLink(link: Link, port: number) {
  const ways = { up: oneWay(link), down: oneWay(link) };
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const site = connect({ port, host: '127.0.0.1', noDelay: true });
    for (const socket of [client, site]) open.add(socket.on('error', () => {}));
    ways.up(client, site, 2 * link.delayMs);
    ways.down(site, client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

function oneWay({ delayMs, bytesPerSecond = Number.POSITIVE_INFINITY }: Link) {
  let freeAtMs = 0; // when the bytes before are on their way
  return (from: Socket, to: Socket, handshakeMs = 0): void => {
    const earliestMs = performance.now() + handshakeMs;
    const queue: (() => void)[] = []; // timers of one millisecond may fire in any order
    const later = (bytes: number, act: () => void): void => {
      const nowMs = performance.now();
      freeAtMs = Math.max(nowMs, freeAtMs) + (1_000 * bytes) / bytesPerSecond;
      queue.push(act);
      setTimeout(() => queue.shift()?.(), Math.max(freeAtMs, earliestMs) + delayMs - nowMs);
    };
    from.on('data', (chunk) => later(chunk.length, () => to.write(chunk)));
    from.on('close', () => later(0, () => to.destroy()));
  };
}
