import { chmodSync, unlinkSync } from 'node:fs';
import { type AddressInfo, connect, type Server } from 'node:net';
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
  /** Path of a Unix socket, used instead of `port` and `host`. */
  readonly path?: string | undefined;
  /** Used instead of all others. */
  readonly socket?: number | undefined;
}

/** Port of a server that listens on a Unix socket. */
export const noPort = 0;

/**
 * Begins to listen, and resolves with the port, or with `noPort` for a Unix socket. Owner and group
 * may connect to such a socket; the file that a killed process left is replaced.
 *
 * @throws The listener's error, for example `EADDRINUSE`.
 */
export async function listenAt(server: Server, place: ListenPlace & { readonly backlog: number }): Promise<number> {
  const { port, host, path, socket, backlog } = place;
  const isUnix = isUnixSocket(place);
  if (isUnix) await removeAbandoned(path as string);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    const at = socket === undefined ? (isUnix ? { path } : { port, host }) : { fd: socket };
    server.listen({ ...at, backlog }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo | string | null;
  if (typeof address === 'object' && address?.port) return address.port;
  if (isUnix) {
    chmodSync(path as string, 0o660);
    return noPort;
  }
  server.close();
  throw new UsageError('The socket that LISTEN_FDS passes must be a TCP one: ListenStream=127.0.0.1:4400.');
}

/** Returns whether a place is a Unix socket of this process's own. */
export function isUnixSocket({ path, socket }: Pick<ListenPlace, 'path' | 'socket'>): boolean {
  return path !== undefined && socket === undefined;
}

/** Removes the file of a Unix socket on which no process listens any more. */
async function removeAbandoned(path: string): Promise<void> {
  const code = await new Promise<string | undefined>((resolve) => {
    const socket = connect(path, () => resolve(undefined));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    socket.once('connect', () => socket.destroy());
  });
  if (code === 'ECONNREFUSED') unlinkSync(path);
}

/** Returns a clearer error for a listener that failed, if its cause is known. */
export function listenProblem(error: NodeJS.ErrnoException, { port, path }: ListenPlace): Error {
  if (path !== undefined) return socketProblem(error, path);
  if (error.code === 'EADDRINUSE')
    return new UsageError(
      `Port ${port} is taken. Stop the program that uses it, or choose another port with PORT or --port.`,
    );
  if (error.code === 'EACCES')
    return new UsageError(`This user may not open port ${port}. Choose one above 1023 with PORT or --port.`);
  return error;
}

function socketProblem(error: NodeJS.ErrnoException, path: string): Error {
  const reason = socketProblems[error.code ?? ''];
  return reason === undefined ? error : new UsageError(`No socket at ${path} (--socket, GANTRY_SOCKET): ${reason}.`);
}

const socketProblems: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process listens there, or a file has that name',
  EACCES: 'this user may not write to its folder',
  ENOENT: 'its folder is missing',
  EINVAL: 'the path is too long',
};
