import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Runs work on a request in its turn on its connection. */
export type ConnectionTurns = (incoming: IncomingMessage, outgoing: ServerResponse, work: () => void) => void;

interface Turns {
  working: number;
  /** Requests that were read with others; at most those of one read of the socket. */
  readonly waiting: { readonly outgoing: ServerResponse; readonly work: () => void }[];
}

/** Makes the function that keeps a connection to `atOnce` requests in work and lets others wait. */
export function createConnectionTurns(atOnce: number): ConnectionTurns {
  const connections = new WeakMap<Socket, Turns>();

  function start(socket: Socket, turns: Turns, { outgoing, work }: Turns['waiting'][number]): void {
    turns.working++;
    outgoing.once('close', () => {
      turns.working--;
      continueWith(socket, turns);
    });
    work();
  }

  function continueWith(socket: Socket, turns: Turns): void {
    if (turns.waiting.length === 0) return;
    while (turns.working < atOnce && !socket.destroyed) {
      const next = turns.waiting.shift();
      if (!next) break;
      start(socket, turns, next);
    }
    // Node reads on after each response, so this is repeated.
    if (turns.waiting.length > 0) socket.pause();
    else socket.resume();
  }

  return ({ socket }, outgoing, work) => {
    const turns = connections.get(socket) ?? { working: 0, waiting: [] };
    if (turns.working === 0) connections.set(socket, turns);
    if (turns.working < atOnce) start(socket, turns, { outgoing, work });
    else {
      turns.waiting.push({ outgoing, work: AsyncResource.bind(work) });
      socket.pause();
    }
  };
}
