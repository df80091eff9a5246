import type { AddressInfo, Server } from 'node:net';
import { UsageError } from './usage-error.ts';

/** First descriptor of a service manager (sd_listen_fds(3)); 0 to 2 are standard streams. */
const firstDescriptor = 3;

/**
 * Returns the descriptor of the listening socket that a service manager opened for this process, if
 * any. It stays open while the process is replaced, so connections wait instead of being refused.
 *
 * @param pid This process: children inherit the variables without the socket.
 * @throws UsageError for more than one.
 */
export function inheritedSocket(env: Readonly<Record<string, string | undefined>>, pid: number): number | undefined {
  if (env.LISTEN_PID !== String(pid)) return undefined;
  const count = Number(env.LISTEN_FDS);
  if (count > 1) throw new UsageError(`LISTEN_FDS passes ${count} sockets; Gantry listens on one.`);
  return count === 1 ? firstDescriptor : undefined;
}

/** Address of a listener, or an open socket. */
export interface ListenPlace {
  /** 0 lets the system choose. */
  readonly port: number;
  readonly host: string;
  /** Used instead of `port` and `host`. */
  readonly socket?: number | undefined;
}

export function listenOptions({ port, host, socket }: ListenPlace): { fd: number } | { port: number; host: string } {
  return socket === undefined ? { port, host } : { fd: socket };
}

/** Returns a listening server's port. @throws UsageError for an inherited socket without TCP. */
export function portOf(server: Server): number {
  const address = server.address() as AddressInfo | string | null;
  if (typeof address === 'object' && address?.port) return address.port;
  server.close();
  throw new UsageError('The socket that LISTEN_FDS passes must be a TCP one: ListenStream=127.0.0.1:4400.');
}

/** Returns a clearer error for a listener that failed, if its cause is known. */
export function portProblem(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new UsageError(
      `Port ${port} is taken. Stop the program that uses it, or choose another port with PORT or --port.`,
    );
  if (error.code === 'EACCES')
    return new UsageError(`This user may not open port ${port}. Choose one above 1023 with PORT or --port.`);
  return error;
}
