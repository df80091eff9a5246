import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UsageError } from '@gantry/server';

const usualPort = 4500;
const mostTries = 50;

/**
 * Listens on 127.0.0.1.
 *
 * @param wanted A given port, 0 for any. Absent: the usual one, or the next that is free.
 * @returns The port, and a line for people where it is not the one that they know.
 * @throws UsageError for a taken or forbidden port.
 */
export async function listenLocally(
  server: Server,
  wanted: number | undefined,
): Promise<{ readonly port: number; readonly notice?: string }> {
  if (wanted !== undefined) {
    const isPort = Number.isInteger(wanted) && wanted >= 0 && wanted <= 65_535;
    if (!isPort) throw new UsageError('--port is a number from 0 to 65535.');
    const failure = await tryPort(server, wanted);
    if (failure === undefined) return { port: (server.address() as AddressInfo).port };
    throw new UsageError(
      failure.code === 'EADDRINUSE'
        ? `Port ${wanted} is taken. Name another with --port, or leave it out for the next that is free.`
        : `Port ${wanted} cannot be used: ${failure.message}`,
    );
  }
  for (let port = usualPort; port < usualPort + mostTries; port += 1) {
    const failure = await tryPort(server, port);
    if (failure === undefined) {
      return port === usualPort ? { port } : { port, notice: `Port ${usualPort} is taken; this is ${port}.` };
    }
    if (failure.code !== 'EADDRINUSE') throw new UsageError(`Port ${port} cannot be used: ${failure.message}`);
  }
  throw new UsageError(`Ports ${usualPort} to ${usualPort + mostTries - 1} are taken. Name a free one with --port.`);
}

function tryPort(server: Server, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const onError = (error: NodeJS.ErrnoException): void => resolve(error);
    server.once('error', onError);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', onError);
      resolve(undefined);
    });
  });
}
