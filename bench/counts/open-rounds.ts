import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Requests that were answered together. */
export interface Round {
  readonly atMs: number;
  readonly requests: readonly string[];
  readonly posts: number;
  /** Bytes of the responses' bodies, as sent. */
  readonly bytes: number;
}

interface Asked {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/**
 * Opens a port that passes requests on to a site in rounds: it holds what arrives until nothing
 * more does, so that what depends on a response comes in a later round. The number of rounds is
 * that of the round trips in a row, on a network of any speed. A browser that is kept from asking
 * for longer than `quietMs` needs a round more, so the least of several counts is the right one.
 */
export async function openRounds({ port, quietMs = 250 }: { readonly port: number; readonly quietMs?: number }) {
  let rounds: Round[] = [];
  const held = new Set<Asked>();
  const answering = new Set<Asked>();
  let timer: NodeJS.Timeout | undefined;
  let lastMs = 0; // of an arrival or a response

  function wait(): void {
    lastMs = performance.now();
    clearTimeout(timer);
    if (held.size > 0 && answering.size === 0) timer = setTimeout(answer, quietMs);
  }
  function answer(): void {
    const all = [...held].map(({ incoming }) => incoming);
    const posts = all.filter(({ method }) => method === 'POST').length;
    const round = { atMs: Date.now(), requests: all.map(({ url = '' }) => url), posts, bytes: 0 };
    rounds.push(round);
    for (const asked of held) {
      answering.add(asked);
      pass(asked, (bytes) => {
        round.bytes += bytes;
      });
    }
    held.clear();
  }
  function pass({ incoming, outgoing }: Asked, onBytes: (bytes: number) => void): void {
    const { url: path = '/', method = 'GET', headers } = incoming;
    const passed = request({ port, host: '127.0.0.1', path, method, headers, agent: false }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders);
      response.on('data', (chunk) => onBytes(chunk.length));
      response.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  }

  const server = createServer((incoming, outgoing) => {
    const asked = { incoming, outgoing };
    if (incoming.url === '/gantry/events') return pass(asked, () => {}); // has no end
    held.add(asked);
    outgoing.on('close', () => {
      held.delete(asked); // its page was left
      answering.delete(asked);
      wait();
    });
    wait();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    /** Returns the rounds since the last call. */
    taken(): readonly Round[] {
      const taken = rounds;
      rounds = [];
      return taken;
    },
    /** Resolves after two seconds without a request: later parts come a second after the paint. */
    async settled(): Promise<void> {
      while (held.size > 0 || answering.size > 0 || performance.now() - lastMs < 2_000) await pause(100);
    },
    close() {
      clearTimeout(timer);
      server.close();
      server.closeAllConnections();
    },
  };
}
