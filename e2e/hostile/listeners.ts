import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Targets for a hostile app's leaks: a web server, and two UDP ports that record arrivals only. */
export interface Listeners {
  /** Origin of the web server. It answers every request. */
  readonly origin: string;
  /** For STUN. */
  readonly stunPort: number;
  /** For QUIC, on which WebTransport runs. */
  readonly quicPort: number;
  /**
   * Arrivals since `forget`, sorted and unique: paths, `connection` for each connection without a
   * request, `stun`, `quic`.
   */
  reached(): string[];
  forget(): void;
  close(): Promise<void>;
}

export async function openListeners(): Promise<Listeners> {
  let reached: string[] = [];
  const silent = new Set<object>();
  const server = createServer((request, response) => {
    silent.delete(request.socket);
    reached.push((request.url ?? '').split('?')[0] as string);
    response.writeHead(200, { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'text/html' }).end('thanks');
  });
  server.on('connection', (socket) => silent.add(socket));
  server.on('upgrade', ({ url }, socket) => {
    silent.delete(socket);
    reached.push(url ?? '');
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stun = await openPort(() => reached.push('stun'));
  const quic = await openPort(() => reached.push('quic'));

  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stunPort: stun.address().port,
    quicPort: quic.address().port,
    reached: () => [...new Set([...reached, ...[...silent].map(() => 'connection')])].sort(),
    forget() {
      reached = [];
      silent.clear();
    },
    async close() {
      stun.close();
      quic.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function openPort(onPacket: () => void): Promise<Socket> {
  const socket = createSocket('udp4', onPacket);
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}
