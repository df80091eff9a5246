import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Ask } from './who.ts';
import { publicUrl } from './world.ts';

/** Manner in which requests are sent, and their answers taken. */
export interface Delivery {
  /** Connections at once. Default: 1. */
  readonly connections?: number;
  /** Requests on each, sent without waiting for an answer. Default: 1. */
  readonly pipelined?: number;
  /** Body of each request. Default: at once, with its length. */
  readonly sending?: 'in one-byte chunks' | 'announced only' | 'six bytes a second' | undefined;
  /** Default: all of it. The others take a first piece, and no more, a little, or leave. */
  readonly reading?: 'no more' | 'slowly' | 'then leaves';
}

/** An attack in progress. */
export interface Attack {
  /** Resolves when every answer was read; never for an attack that holds on. */
  readonly done: Promise<void>;
  /** Resolves when the requests have left, as far as the server takes them. */
  readonly sent: Promise<void>;
  /** Ends it, and returns the status of every answer so far. */
  end(): readonly number[];
}

const slowlyMs = 100;

/** Sends requests over connections of their own. @param ask Makes the next request. */
export function startAttack(port: number, ask: () => Ask, { isStream = false, ...delivery }: AttackOptions): Attack {
  const { connections = 1, pipelined = 1 } = delivery;
  const talks = Array.from({ length: connections }, () => {
    const asks = Array.from({ length: pipelined }, ask);
    return talk(port, asks, { ...delivery, isStream });
  });
  const all = (promises: readonly Promise<void>[]) => Promise.all(promises).then(() => {});
  return {
    done: all(talks.map(({ done }) => done)),
    sent: all(talks.map(({ sent }) => sent)),
    end() {
      for (const { socket } of talks) socket.destroy();
      return talks.flatMap(({ statuses }) => statuses);
    },
  };
}

export interface AttackOptions extends Delivery {
  /** True for answers that do not end by themselves: the first piece is all that is read. */
  readonly isStream?: boolean;
}

interface Talk {
  readonly socket: Socket;
  readonly statuses: readonly number[];
  readonly done: Promise<void>;
  readonly sent: Promise<void>;
}

function talk(port: number, asks: readonly Ask[], { sending, reading, isStream }: AttackOptions): Talk {
  const socket = connect({ port, host: '127.0.0.1' });
  const statuses: number[] = [];
  const done = Promise.withResolvers<void>();
  const sent = Promise.withResolvers<void>();
  const holds = sending === 'announced only' || sending === 'six bytes a second';
  let rest = '';

  socket.on('error', () => {}); // a reset is an answer too
  socket.on('close', () => {
    done.resolve();
    sent.resolve();
  });
  socket.on('data', (chunk: Buffer) => {
    rest = collectStatuses(chunk, rest, statuses);
    if (reading === 'then leaves') socket.destroy();
    else if (reading !== undefined) socket.pause();
    else if (isStream) done.resolve();
    if (reading === 'slowly') setTimeout(() => socket.resume(), slowlyMs);
  });
  socket.on('connect', async () => {
    for (const [index, ask] of asks.entries()) {
      const isLast = index === asks.length - 1 && !holds && reading === undefined;
      for (const part of encode(ask, { sending, isLast })) {
        if (!socket.write(part))
          await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), sent.promise]);
        if (sending === 'six bytes a second') await pause(1_000);
        if (socket.destroyed) return;
      }
    }
    sent.resolve();
  });
  return { socket, statuses, done: done.promise, sent: holds ? Promise.resolve() : sent.promise };
}

/** Returns the pieces in which a request is written. */
function* encode(
  { method, target, headers = {}, body = '' }: Ask,
  { sending, isLast }: Pick<Delivery, 'sending'> & { readonly isLast: boolean },
): Generator<string | Buffer> {
  const bytes = Buffer.from(body);
  const isChunked = sending === 'in one-byte chunks';
  const head = [
    `${method} ${target} HTTP/1.1`,
    `Host: ${new URL(publicUrl).host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(isLast ? ['Connection: close'] : []),
    ...(isChunked ? ['Transfer-Encoding: chunked'] : bytes.length > 0 ? [`Content-Length: ${bytes.length}`] : []),
  ];
  yield `${head.join('\r\n')}\r\n\r\n`;
  if (sending === 'announced only') return;
  if (isChunked) {
    const chunks = Buffer.alloc(bytes.length * 6, '1\r\n?\r\n');
    for (const [index, byte] of bytes.entries()) chunks[index * 6 + 3] = byte;
    yield chunks;
    yield '0\r\n\r\n';
  } else if (sending === 'six bytes a second') {
    for (let from = 0; from < bytes.length; from += 6) yield bytes.subarray(from, from + 6);
  } else if (bytes.length > 0) yield bytes;
}

const marker = Buffer.from('HTTP/1.1 ');
const statusBytes = marker.length + 3;

/** Collects the statuses in a piece of a connection. Returns its end, which may begin the next. */
function collectStatuses(chunk: Buffer, before: string, statuses: number[]): string {
  const piece = Buffer.concat([Buffer.from(before, 'latin1'), chunk]);
  let from = 0;
  for (;;) {
    const at = piece.indexOf(marker, from);
    if (at === -1 || at + statusBytes > piece.length) break;
    const status = Number(piece.toString('latin1', at + marker.length, at + statusBytes));
    if (status >= 200) statuses.push(status);
    from = at + statusBytes;
  }
  return piece.toString('latin1', Math.max(from, piece.length - statusBytes + 1));
}
