import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { SocialError } from '@gantry/wire';
import { type Admission, createAdmission } from '../edge/admission.ts';
import { closeListener } from '../edge/close-listener.ts';
import { followConnections } from '../edge/drain.ts';
import { defaultLimits, type Limits } from '../edge/limits.ts';
import { type BrokenRequest, refuse, refuseBroken } from '../edge/refusals.ts';
import { type ListenPlace, listenAt } from '../setup/listen-place.ts';
import { createRequestListener, type Received, type RequestListenerOptions } from './request-listener.ts';

export interface ListenOptions extends ListenPlace, Omit<RequestListenerOptions, 'limits' | 'log'> {
  /** The queue between reading and work, which `edge` shares. */
  readonly admission?: Admission;
  readonly limits?: Limits;
  /** Connections that another process accepts. Absent: this one listens on the port. */
  readonly handed?: HandedConnections | undefined;
}

/** Connections that another process accepts and passes to this one. */
export interface HandedConnections {
  /** The port on which they were accepted; `noPort` for a Unix socket. */
  readonly port: number;
  /** Requests connections; calls back with each. */
  take(onConnection: (socket: Socket) => void): void;
  /** Requests no more, and resolves after the last one. */
  end(): Promise<void>;
}

export type NodeServer = Awaited<ReturnType<typeof listen>>;

/**
 * Listens on a port and passes each well-formed request to `fetch` (security rules 16, 20 and 21).
 *
 * @throws The listener's error, for example `EADDRINUSE`.
 */
export async function listen({
  fetch,
  direct,
  streams,
  edge,
  limits = defaultLimits,
  admission = createAdmission({ limits }),
  handed,
  ...place
}: ListenOptions) {
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: Math.max(limits.requestMs, limits.uploadMs), // the shorter one is enforced below
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.checkMs,
    maxHeaderSize: limits.headerBytes,
    requireHostHeader: false, // checked below, with a clear error
  });
  server.maxHeadersCount = limits.headers + 1;
  server.maxConnections = limits.connections;
  server.timeout = limits.silenceMs;
  server.on('connection', admission.connected);
  const connections = followConnections(server, limits.requestMs);
  const handle = createRequestListener({ fetch, direct, streams, edge, limits });

  function receive(incoming: Received, outgoing: ServerResponse, proceed?: () => void): void {
    connections.busy(incoming, outgoing);
    if (connections.isDraining) outgoing.shouldKeepAlive = false;
    handle(incoming, outgoing, proceed);
  }

  server.on('request', (incoming: Received, outgoing: ServerResponse) => receive(incoming, outgoing));
  server.on('checkContinue', (incoming: Received, outgoing: ServerResponse) =>
    receive(incoming, outgoing, () => outgoing.writeContinue()),
  );
  server.on('checkExpectation', (incoming: Received, outgoing: ServerResponse) => {
    refuse(incoming, outgoing, new SocialError('BAD_REQUEST', 'Expect can be 100-continue only.'));
  });
  server.on('clientError', async (error: BrokenRequest, socket: Socket) => {
    if (!(await connections.nextResponse(socket))) socket.destroy();
    else if (refuseBroken(error, socket, connections.arriving(socket)) !== undefined) edge?.broken();
  });
  const port = handed?.port ?? (await listenAt(server, { ...place, backlog: limits.backlog }));
  const stopAccepting = handed ? takeConnections(server, handed, limits.connections) : () => closeListener(server);

  return {
    /** `noPort` for a Unix socket. */
    port,
    /** Stops accepting, lets every accepted request finish, then resolves. */
    close: (): Promise<void> =>
      connections.drain(async () => {
        admission.hold(); // clients without a response open no new connections
        await stopAccepting();
        admission.release();
      }),
  };
}

function takeConnections(server: Server, handed: HandedConnections, most: number): () => Promise<void> {
  let open = 0;
  server.emit('listening'); // starts Node's check for late requests
  handed.take((socket) => {
    if (open >= most) {
      socket.destroy();
      return;
    }
    open++;
    socket.once('close', () => open--);
    socket.setNoDelay(true);
    server.emit('connection', socket);
  });
  return handed.end;
}
