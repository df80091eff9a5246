import type { AddressInfo, Server } from 'node:net';
import { UsageError } from './usage-error.ts';

/** First descriptor that a service manager passes (sd_listen_fds(3)); 0 to 2 are the standard streams. */
const firstDescriptor = 3;

/**
 * Reads which listening socket a service manager has opened for this process. It stays open while the process is replaced, so
 * connections wait in the system instead of being refused.
 *
 * @param pid The process that is meant: children inherit the variables without the socket.
 * @returns Its descriptor, or `undefined` where there is none.
 * @throws UsageError for more than one.
 */
export function inheritedSocket(env: Readonly<Record<string, string | undefined>>, pid: number): number | undefined {
  if (env.LISTEN_PID !== String(pid)) return undefined;
  const count = Number(env.LISTEN_FDS);
  if (count > 1) throw new UsageError(`LISTEN_FDS passes ${count} sockets; Gantry listens on one.`);
  return count === 1 ? firstDescriptor : undefined;
}

/** Place on which a listener is opened: an address, or a socket that is there already. */
export interface ListenPlace {
  /** 0 lets the system choose. */
  readonly port: number;
  readonly host: string;
  /** Counts instead of `port` and `host`. */
  readonly socket?: number | undefined;
}

/** Returns the arguments for `listen` of Node. */
export function listenOptions({ port, host, socket }: ListenPlace): { fd: number } | { port: number; host: string } {
  return socket === undefined ? { port, host } : { fd: socket };
}

/** @throws UsageError for an inherited socket that is no TCP one. */
export function portOf(server: Server): number {
  const address = server.address() as AddressInfo | string | null;
  if (typeof address === 'object' && address?.port) return address.port;
  server.close();
  throw new UsageError('The socket that LISTEN_FDS passes must be a TCP one: ListenStream=127.0.0.1:4400.');
}
