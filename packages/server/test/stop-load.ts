import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Outcomes of a load's requests while its server was stopped. */
export interface StopLoad {
  /** Requests that got a whole answer. */
  readonly answered: number;
  /**
   * Requests whose connection was made and ended without a whole answer: each is a fault of the
   * stop.
   */
  readonly lost: readonly string[];
}

export interface StopLoadOptions {
  readonly port: number;
  readonly clients: number;
  /**
   * `new`: each request has a connection of its own. `kept`: one is used again until its server
   * says that it was the last.
   */
  readonly connections: 'new' | 'kept';
  /** Called after each whole answer, with their number so far. */
  readonly onAnswer?: (answered: number) => void;
}

/**
 * Asks in as many loops as there are clients, each one request at a time, until the port refuses
 * connections. A refused connection is no loss: its client knows that nothing was asked.
 */
export async function loadUntilRefused(options: StopLoadOptions): Promise<StopLoad> {
  const { port, clients, connections, onAnswer = () => {} } = options;
  const lost: string[] = [];
  let answered = 0;

  async function client(): Promise<void> {
    for (;;) {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      try {
        await once(socket, 'connect');
        for (let isLast = false; !isLast; ) {
          isLast = (await ask(socket, anyRequest)).isLast || connections === 'new';
          onAnswer(++answered);
        }
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code === 'ECONNREFUSED') return;
        lost.push(code ?? message);
      }
      socket.destroy();
    }
  }

  await Promise.all(Array.from({ length: clients }, client));
  return { answered, lost };
}

const anyRequest = 'GET /social/rest/people/@me/@self HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Resolves with a whole answer, and whether it says that no other follows on its connection. */
export function ask(socket: Socket, request: string): Promise<{ readonly text: string; readonly isLast: boolean }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ text: string; isLast: boolean }>();
  let text = '';
  const take = (chunk: Buffer): void => {
    text += chunk;
    if (isWhole(text)) resolve({ text, isLast: /^connection: close\r$/im.test(text) });
  };
  const end = (): void => reject(new Error(text === '' ? 'closed without an answer' : `cut: ${text.slice(0, 100)}`));
  socket.on('data', take).on('error', reject).on('close', end);
  socket.write(request);
  return promise.finally(() => socket.off('data', take).off('error', reject).off('close', end));
}

function isWhole(text: string): boolean {
  const bodyAt = text.indexOf('\r\n\r\n') + 4;
  if (bodyAt < 4) return false;
  const head = text.slice(0, bodyAt);
  if (/^transfer-encoding: chunked\r$/im.test(head)) return text.endsWith('0\r\n\r\n');
  const length = /^content-length: (\d+)\r$/im.exec(head)?.[1];
  return length !== undefined && text.length - bodyAt >= Number(length);
}
